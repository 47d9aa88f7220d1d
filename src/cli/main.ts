#!/usr/bin/env node
import '../platform/lifecycle/require-node';
import '../platform/lifecycle/compile-cache';
import { runParley } from './program';

// Files written by commands are readable only by their own user, even in a folder that others can read.
process.umask(0o077);
void runParley(process.argv.slice(2));
