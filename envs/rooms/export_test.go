package rooms

import "impalab/envs/world"

// AtPlay returns the world after the first steps of the script, for a picture.
func AtPlay(name string) world.World {
	for _, scene := range []struct {
		task  *Task
		seed  uint64
		steps int
	}{{&WaterMaze, 30, 10}, {&Keys, 5, 10}, {&LaserTag, 20, 12}, {&Explore, 21, 19}, {&Collect, 5, 46}} {
		if scene.task.name != name {
			continue
		}
		_, w := usualRoom(scene.task)
		r := world.NewRand(scene.seed, 0)
		w.Reset(&r)
		bot := roomBot{w: w}
		for range scene.steps {
			w.Step(&r, bot.act())
		}
		return w
	}
	panic("rooms: no picture is known of " + name)
}
