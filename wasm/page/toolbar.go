//go:build js && wasm

package page

// bindToolbar leads to the page of the selected run and to its files.
func (c *desk) bindToolbar() {
	follow := func(name string, address func(id string) string) {
		for _, link := range findAll(c.body, "["+name+"]") {
			href, end := attribute(link, "href"), link.Call("getAttribute", name).String()
			c.shows.add(func() {
				if c.exports() {
					href.write(address(c.run.ID) + end)
				}
			})
		}
	}
	follow("data-run-link", func(id string) string { return c.base() + "r/" + id })
	follow("data-run-api", func(id string) string { return c.base() + "api/v1/runs/" + id })
	for _, link := range findAll(c.body, ".toolbar [data-run-link]") {
		c.shows.hidden(link, func() bool { return !c.exports() })
	}
	c.shows.text(part(c.body, "pandas"), func() string {
		if !c.exports() {
			return ""
		}
		return `pd.read_csv("` + c.base() + "api/v1/runs/" + c.run.ID + `/curves.csv")`
	})
	c.shows.hidden(part(c.body, "exports"), func() bool { return !c.exports() })
	c.shows.hidden(part(c.body, "no-export"), c.exports)
}

// exports reports whether a server has the selected run.
func (c *desk) exports() bool { return !c.run.InBrowser && !c.alone() && c.run.ID != "" }
