#!/usr/bin/env node
import '../platform/lifecycle/require-node';
import '../platform/lifecycle/compile-cache';
import { CommanderError } from 'commander';
import { parleyProgram } from './program';

/** Exit code for an invalid command line. */
const MISUSED = 2;

// Files written by commands are readable only by their own user, even in a folder that others can read.
process.umask(0o077);
parleyProgram()
  .parseAsync()
  .catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : MISUSED;
  });
