import { clientSuite } from '../../client/test/suite/client-suite.ts';
import { start } from './driver.ts';

clientSuite(start, { noAnswer: 'NoAnswerException', webhook: 'WebhookException' }, 1000);
