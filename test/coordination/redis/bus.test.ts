import { describeBus } from '../../support/coordination/bus-suite.ts';
import { redisNodes } from '../../support/coordination/redis-nodes.ts';

describeBus('over Redis', redisNodes);
