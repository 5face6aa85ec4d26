#!/bin/sh
# Compiles the kernels of learner/device/opencl for NVIDIA's cards, of which none need be here, and looks at what comes
# out: every operation rounds once and to nearest, as on the processor, and nothing that an item works on has been put
# into memory. ptxas, where there is one (Debian: nvidia-cuda-toolkit), says the same for real cards, and how many
# registers a kernel takes.
set -eu
cd "$(dirname "$0")/.."

for clang in clang-19 clang-18 clang-17 clang-16 clang-15; do
	command -v "$clang" >/dev/null 2>&1 && break
	clang=
done
library=$(ls /usr/lib/clc/nvptx64--nvidiacl.bc /usr/share/clc/nvptx64--nvidiacl.bc 2>/dev/null | head -n 1 || true)
if [ -z "$clang" ] || [ -z "$library" ]; then
	echo "The kernels were not compiled for NVIDIA: that needs clang and libclc (Debian: sudo apt-get install clang-15" \
		"libclc-15)."
	exit 0
fi
mkdir -p bin
cd learner/device/opencl/cl
cat elementary.cl product.cl conv.cl rows.cl pool.cl lstm.cl descend.cl >../../../../bin/kernels.cl
cd ../../../../bin
# The tiles are those of device.go, usual.
"$clang" -x cl -cl-std=CL1.2 -target nvptx64--nvidiacl -Xclang -target-cpu -Xclang sm_70 -O3 \
	-Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang "$library" -DTILE_M=64 -DTILE_N=64 \
	-DTILE_K=16 -DITEM_M=4 -DITEM_N=4 -DCONV_N=16 -DCONV_ITEM_N=1 -S kernels.cl -o kernels.ptx
entries=$(grep -c '\.entry' kernels.ptx)
if [ "$entries" != "$(grep -cE '^__kernel void|^TILED' kernels.cl)" ]; then
	echo "only $entries kernels came out" >&2
	exit 1
fi
odd=$(grep -oE '\b(fma|add|sub|mul|mad|div|sqrt|rcp|rsqrt|ex2|lg2|sin|cos|tanh)\.[a-z0-9.]*f32' kernels.ptx |
	grep -vE '^(fma|add|sub|mul|div|sqrt|rcp)\.rn\.f32$' | sort | uniq -c || true)
[ -z "$odd" ] || { echo "these round otherwise than the processor does:" >&2; echo "$odd" >&2; exit 1; }
if grep -q '__local_depot' kernels.ptx; then
	echo "a kernel keeps what it works on in memory" >&2
	exit 1
fi
echo "$entries kernels in bin/kernels.ptx: every operation rounds once, to nearest"
if command -v ptxas >/dev/null 2>&1; then
	for card in sm_70 sm_80 sm_90; do
		ptxas -v -arch=$card kernels.ptx -o /dev/null 2>&1 | tee kernels.$card |
			grep -oE 'Compiling entry function .[A-Za-z]+|Used [0-9]+ registers'
		if grep -E '[1-9][0-9]* bytes spill' kernels.$card >&2; then
			echo "$card: registers are spilled" >&2
			exit 1
		fi
	done
fi
