import { describeCalls } from '../../support/coordination/calls-suite.ts';
import { redisNodes } from '../../support/coordination/redis-nodes.ts';

describeCalls('over Redis', redisNodes);
