package chart

// Drawing is a chart for one width of a page, with its class (narrow, middle, broad or roomy), its viewBox and its
// inside.
type Drawing struct{ Class, Box, Inside string }
