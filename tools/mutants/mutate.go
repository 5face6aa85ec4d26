package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// Mutant is one small change of the source that a test should notice.
type Mutant struct {
	Number int    // the number for the instrumented program
	ID     string // file, function, change: stays the same when lines move
	Where  string // file:line, for people

	change string // Go source in place of the site's
}

// site is a piece of source that one or more mutants replace. Sites nest and never overlap otherwise.
type site struct {
	from, to int
	typ      string // of an expression; "" for a statement
	mutants  []*Mutant
}

// finder walks one file and collects its sites.
type finder struct {
	file    *token.File
	name    string // of the file within the module
	source  []byte
	info    *types.Info
	typ     func(types.Type) string // as this file may write it
	inside  string                  // the function being walked
	sites   []*site
	counter map[string]int // IDs seen, to tell repeated ones apart
}

func (f *finder) offset(p token.Pos) int { return f.file.Offset(p) }

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}

// add records that replacing node by change is a mutant. typ is nil for a statement. label describes the change in the
// ID if change is not clear enough.
func (f *finder) add(node ast.Node, typ types.Type, change, label string) {
	from, to := f.offset(node.Pos()), f.offset(node.End())
	var at *site
	for _, s := range f.sites {
		if s.from == from && s.to == to && (s.typ == "") == (typ == nil) {
			at = s
		}
	}
	if at == nil {
		at = &site{from: from, to: to}
		if typ != nil {
			at.typ = f.typ(types.Default(typ))
		}
		f.sites = append(f.sites, at)
	}
	if label == "" {
		label = change
	}
	short := strings.Join(strings.Fields(f.text(node)), " ")
	if len(short) > 60 {
		short = short[:57] + "..."
	}
	id := fmt.Sprintf("%s %s: %s → %s", f.name, f.inside, short, strings.Join(strings.Fields(label), " "))
	f.counter[id]++
	if n := f.counter[id]; n > 1 {
		id += fmt.Sprintf(" (%d)", n)
	}
	at.mutants = append(at.mutants, &Mutant{
		ID: id, Where: fmt.Sprintf("%s:%d", f.name, f.file.Line(node.Pos())), change: change,
	})
}

// walk collects the sites of one function.
func (f *finder) walk(fn *ast.FuncDecl) {
	f.inside = fn.Name.Name
	if fn.Recv != nil {
		recv := fn.Recv.List[0].Type
		if star, ok := recv.(*ast.StarExpr); ok {
			recv = star.X
		}
		f.inside = strings.TrimSuffix(f.text(recv), "[F]") + "." + f.inside
	}
	ast.Inspect(fn.Body, f.visit)
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR // a constant must stay one
	case *ast.ArrayType:
		return false
	case *ast.BlockStmt:
		f.deletions(n.List)
	case *ast.CaseClause:
		f.deletions(n.Body)
	case *ast.CommClause:
		f.deletions(n.Body)
	case *ast.IfStmt:
		f.condition(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.add(n.Cond, types.Typ[types.Bool], "false", "")
		}
		if _, ok := n.Post.(*ast.IncDecStmt); ok {
			for _, part := range []ast.Node{n.Init, n.Cond, n.Body} {
				if part != nil {
					ast.Inspect(part, f.visit)
				}
			}
			return false // another step only makes the loop endless, or fail at once
		}
	case *ast.TypeSwitchStmt:
		ast.Inspect(n.Body, f.visit)
		return false
	case *ast.SwitchStmt:
		for _, clause := range n.Body.List {
			if n.Tag == nil {
				for _, cond := range clause.(*ast.CaseClause).List {
					f.condition(cond)
				}
			}
		}
	case *ast.ReturnStmt:
		return !f.isError(n) // no caller reads the values beside an error
	case *ast.CallExpr:
		return f.call(n)
	case *ast.CompositeLit:
		return f.literal(n)
	case ast.Expr:
		if tv := f.info.Types[n]; tv.Value != nil {
			f.constant(n, tv)
			return false
		}
		f.operator(n)
		_, selector := n.(*ast.SelectorExpr)
		return !selector || f.info.Types[n].IsValue()
	}
	return true
}

// deletions leaves out the statements with an effect, one at a time.
func (f *finder) deletions(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && isName(call.Fun, "panic") {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || isName(s.Lhs[0], "_") {
				continue
			}
			if to, ok := swapAssign[s.Tok]; ok && !isString(f.info.TypeOf(s.Lhs[0])) {
				f.add(s, nil, fmt.Sprintf("%s %s %s", f.text(s.Lhs[0]), to, f.text(s.Rhs[0])), "")
			}
		case *ast.BranchStmt:
			if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
				continue
			}
		case *ast.IncDecStmt, *ast.SendStmt, *ast.DeferStmt:
		default:
			continue
		}
		f.add(s, nil, "", "nothing")
	}
}

// condition makes a branch always and never taken; of a && b and a || b it leaves out one side.
func (f *finder) condition(cond ast.Expr) {
	if f.info.Types[cond].Value != nil {
		return
	}
	cond = ast.Unparen(cond)
	if b, ok := cond.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return // operator does it
	}
	f.add(cond, types.Typ[types.Bool], "true", "")
	f.add(cond, types.Typ[types.Bool], "false", "")
}

var swap = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.LSS: {token.LEQ}, token.LEQ: {token.LSS}, token.GTR: {token.GEQ}, token.GEQ: {token.GTR},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND},
}

var swapAssign = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
}

// operator returns another operator, or one side of a logical one.
func (f *finder) operator(n ast.Expr) {
	t := f.info.TypeOf(n)
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if isString(t) {
			return
		}
		if n.Op == token.LAND || n.Op == token.LOR {
			f.add(n, t, f.text(n.X), "")
			f.add(n, t, f.text(n.Y), "")
		}
		for _, op := range swap[n.Op] {
			f.add(n, t, fmt.Sprintf("(%s) %s (%s)", f.text(n.X), op, f.text(n.Y)),
				fmt.Sprintf("%s %s %s", f.text(n.X), op, f.text(n.Y)))
		}
	case *ast.UnaryExpr:
		if n.Op == token.SUB || n.Op == token.NOT {
			f.add(n, t, f.text(n.X), "")
		}
	}
}

// call swaps min and max, and skips calls that only word an error or size a buffer.
func (f *finder) call(n *ast.CallExpr) (within bool) {
	switch name := f.text(n.Fun); name {
	case "panic", "fmt.Errorf", "fmt.Sprintf", "errors.New", "math.Inf", "math.NaN":
		return false
	case "make":
		if len(n.Args) > 1 {
			ast.Inspect(n.Args[1], f.visit) // the length, not the capacity
		}
		return false
	case "min", "max":
		if f.info.Types[n].Value == nil {
			other := map[string]string{"min": "max", "max": "min"}[name]
			f.add(n, f.info.TypeOf(n), other+f.text(n)[len(name):], other)
		}
	}
	if tv := f.info.Types[n]; tv.Value != nil {
		f.constant(n, tv)
		return false
	}
	return true
}

// literal leaves out one field of a struct at a time.
func (f *finder) literal(n *ast.CompositeLit) (within bool) {
	_, isStruct := f.info.TypeOf(n).Underlying().(*types.Struct)
	for _, elt := range n.Elts {
		pair, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			ast.Inspect(elt, f.visit)
			continue
		}
		tv := f.info.Types[pair.Value]
		switch pair.Value.(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr:
			if isStruct && tv.Value == nil && !tv.IsNil() && !isMake(pair.Value) {
				f.add(pair.Value, tv.Type, "*new("+f.typ(tv.Type)+")", "no "+f.text(pair.Key))
			}
		}
		ast.Inspect(pair.Value, f.visit)
	}
	return false
}

// constant returns another number or the other truth: the nearest that differs in kind.
func (f *finder) constant(n ast.Expr, tv types.TypeAndValue) {
	info := types.IsFloat // of a type parameter: all of ours are
	if _, generic := tv.Type.(*types.TypeParam); !generic {
		basic, ok := tv.Type.Underlying().(*types.Basic)
		if !ok {
			return
		}
		info = basic.Info()
	}
	typ := ""
	if info&types.IsNumeric != 0 { // naming a type imports its package, which must then be used
		typ = f.typ(types.Default(tv.Type))
	}
	switch {
	case info&types.IsBoolean != 0:
		f.add(n, tv.Type, fmt.Sprint(!constant.BoolVal(tv.Value)), "")
	case info&types.IsInteger != 0:
		switch {
		case constant.Compare(tv.Value, token.EQL, constant.MakeInt64(1)):
			f.add(n, tv.Type, typ+"(0)", "0")
		default:
			f.add(n, tv.Type, "plusOne_("+typ+"("+f.text(n)+"))", f.text(n)+"+1")
		}
	case info&types.IsFloat != 0:
		if constant.Sign(tv.Value) == 0 {
			f.add(n, tv.Type, typ+"(1)", "1")
		} else {
			f.add(n, tv.Type, "twice_("+typ+"("+f.text(n)+"))", "2*"+f.text(n))
		}
	}
}

// isError reports whether a statement returns a new error.
func (f *finder) isError(s *ast.ReturnStmt) bool {
	if len(s.Results) == 0 {
		return false
	}
	call, ok := s.Results[len(s.Results)-1].(*ast.CallExpr)
	return ok && (f.text(call.Fun) == "fmt.Errorf" || f.text(call.Fun) == "errors.New")
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func isMake(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && isName(call.Fun, "make")
}

func isString(t types.Type) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}
