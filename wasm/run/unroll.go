package run

import (
	"net/url"
	"strconv"

	"impalab/web/wire"
)

// Unrolls is the part behind '#' of a link to the microscope: the run at the cursor. While the cursor follows the
// newest step it is that of the newest update, and of a run that is over its last. A theme that the page's link asks
// for goes along. It is "" as long as there is nothing to look at.
func (m *Run) Unrolls() string {
	update, known := m.Update()
	if m.ID == "" || !known || update == 0 {
		return ""
	}
	link := "#run=" + url.QueryEscape(m.ID)
	if m.Cursor.Held || wire.Over(m.State) {
		link += "&update=" + strconv.FormatUint(update, 10)
	}
	if theme := m.Link.Theme(); theme != "" {
		link += "&theme=" + theme
	}
	return link
}
