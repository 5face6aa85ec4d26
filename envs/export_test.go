package envs

// Scripted plays a world of the rooms by script for so many steps, for pictures of it at play.
func Scripted(w World, r *Rand, steps int) {
	bot := roomBot{w: w.(*room)}
	for range steps {
		w.Step(r, bot.act())
	}
}
