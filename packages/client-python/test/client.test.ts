import { classOf, clientSuite } from '../../client/test/suite/client-suite.ts';
import { givenSuite } from '../../client/test/suite/given-suite.ts';
import { start } from './driver.ts';

clientSuite(start, { noAnswer: 'NoAnswerError', webhook: 'WebhookError', refusal: classOf }, 1000);
givenSuite(start);
