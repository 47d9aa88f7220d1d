'use strict';

/**
 * Loaded before a server (`node --require`), in each of its threads: puts the time of day forward or back by what stands in
 * the file that `TIME_SHIFT_FILE` names, in milliseconds. Timers and intervals stay as they are, as where somebody sets the
 * clock of a machine.
 */

const { readFileSync } = require('node:fs');

/** All processes that share the file see another time within this one. */
const LOOK_EVERY_MS = 20;

const file = process.env.TIME_SHIFT_FILE;
const SystemDate = Date;

let shiftMs = 0;
let lookedAtMs = -Infinity;

function nowMs() {
  // Not by a timer, which a thread that is busy would have wait.
  if (performance.now() - lookedAtMs >= LOOK_EVERY_MS) {
    shiftMs = Number(readFileSync(file, 'utf8'));
    lookedAtMs = performance.now();
  }
  return SystemDate.now() + shiftMs;
}

globalThis.Date = new Proxy(SystemDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [nowMs()] : given, made),
  get: (target, name) => (name === 'now' ? nowMs : Reflect.get(target, name)),
});
