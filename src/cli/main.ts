#!/usr/bin/env node
import '../platform/lifecycle/require-node';
import { CommanderError } from 'commander';
import { parleyProgram } from './program';

/** Exit code of a command line that makes no sense. */
const MISUSED = 2;

// Everything a command writes is for its own user, whoever may read the folder it is in.
process.umask(0o077);
parleyProgram()
  .parseAsync()
  .catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : MISUSED;
  });
