import { describeBus } from '../support/coordination/bus-suite.ts';
import { memoryNodes } from '../support/coordination/memory-nodes.ts';

describeBus('in one process', memoryNodes);
