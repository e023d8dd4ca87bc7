#!/usr/bin/env -S MALLOC_ARENA_MAX=1 node --max-semi-space-size=8
// Any version of Node may start this file, so it and what it imports at once use nothing new. The program itself is loaded by a version that can run it.
import { canRunProgram, startOnOwnNode } from './app/own-node.ts';

if (canRunProgram()) import('./app/program.ts');
else startOnOwnNode();
