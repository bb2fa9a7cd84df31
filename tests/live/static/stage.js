// What tests call from outside: the shell's modules, under one name.
import * as clock from "./brush/clock.js";
import * as commands from "./brush/commands.js";
import * as confirm from "./brush/confirm.js";
import * as live from "./brush/live.js";
import * as queue from "./brush/queue.js";

window.stage = { clock, commands, confirm, live, queue };
