import { startHere } from './driver.ts';
import { clientSuite } from './suite/client-suite.ts';
import { givenSuite } from './suite/given-suite.ts';

clientSuite(startHere, { noAnswer: 'NoAnswerError', webhook: 'WebhookError', refusal: () => 'ApiError' }, 1000);
givenSuite(startHere);
