package device

var Examination = examination
