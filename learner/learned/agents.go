package learned

// Agents are all agents. `go -C tools run ./results learned SNAPSHOT` writes the file of a run's agent and prints its
// row. Beside each row is the command that makes its snapshot.
var Agents = []Agent{
	// impalab train --preset learned-keys-doors --set init=random --set entropy=0.005 --set lr=0.0006 --seed 9101
	// --turn 2864740:entropy=0.0015 --turn 4500000:lr=0.0003 --steps 5320960 --save FILE
	{World: "rooms-keys-doors:height=12,width=16,repeat=8", Network: "415164e0", Steps: 5320960},
	// impalab train --preset learned-collect --set init=random --set entropy=0.005 --set lr=0.0006 --seed 9101
	// --turn 2500000:entropy=0.0015 --turn 4200000:lr=0.0003 --steps 5000000 --save FILE
	{World: "rooms-collect:height=12,width=16,repeat=8", Network: "fbaba5c7", Steps: 5000320},
	// impalab train --preset learned-explore --set init=random --set entropy=0.005 --set lr=0.0006 --seed 9101
	// --turn 2500000:entropy=0.0015 --turn 4200000:lr=0.0003 --steps 5000000 --save FILE
	{World: "rooms-explore:height=12,width=16,repeat=8", Network: "415164e0", Steps: 5000320},
	// impalab train --preset learned-lasertag --set init=random --set entropy=0.005 --set lr=0.0006 --seed 9101
	// --turn 2500000:entropy=0.0015 --turn 4200000:lr=0.0003 --steps 5000000 --save FILE
	{World: "rooms-lasertag:height=12,width=16,repeat=8", Network: "415164e0", Steps: 5000320},
	// impalab train --preset learned-watermaze --set init=random --set entropy=0.005 --set lr=0.0006 --seed 9101
	// --turn 2500000:entropy=0.0015 --turn 4200000:lr=0.0003 --steps 5000000 --save FILE
	{World: "rooms-watermaze:height=12,width=16,repeat=8", Network: "415164e0", Steps: 5000320},
	// impalab train --preset late-cheetah --seed 9802 --steps 3000000 --save FILE
	{World: "cheetah", Network: "fcb99056", Steps: 3000000},
	// impalab train --preset walker --seed 9801 --save FILE
	{World: "walker", Network: "015454ac", Steps: 3000000},
}
