package learned

// Agents are all agents. `go -C tools run ./results learned SNAPSHOT` writes the file of a run's agent and prints its
// row.
var Agents = []Agent{
	{World: "rooms-keys-doors:height=12,width=16,repeat=8", Network: "415164e0", Steps: 5320960},
}
