import { describeCalls } from '../support/coordination/calls-suite.ts';
import { memoryNodes } from '../support/coordination/memory-nodes.ts';

describeCalls('in one process', memoryNodes);
