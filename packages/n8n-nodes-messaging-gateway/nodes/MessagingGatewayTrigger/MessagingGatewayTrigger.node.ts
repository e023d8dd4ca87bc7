import type {
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  IDataObject,
  IHookFunctions,
  INodeCredentialTestResult,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { isSecret, isSigned, secretsOf } from './signature';

const credential = 'messagingGatewayWebhookApi';
const noSecret = 'A secret begins with whsec_: copy it from the portal of the gateway, where it is shown once';

export class MessagingGatewayTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Messaging Gateway Trigger',
    name: 'messagingGatewayTrigger',
    icon: { light: 'file:../../icons/gateway.svg', dark: 'file:../../icons/gateway.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when a message is delivered, read or lost, or when a number needs a person',
    defaults: { name: 'Messaging Gateway Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'messagingGatewayWebhookApi', required: true, testedBy: 'testSecret' }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName:
          'In the portal of your gateway, under Alerts, add a webhook with the production URL above and the events that you want, and put its secret into the credential. API keys cannot do this. Remove the webhook there when you no longer need this workflow.',
        name: 'notice',
        type: 'notice',
        default: '',
      },
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['message.delivered', 'message.read', 'message.lost'],
        description: 'Which of the events that the webhook gets start the workflow. Each event is one item.',
        options: [
          { name: 'Alert', value: 'alert', description: 'A condition has begun or ended, such as a number that needs a person' },
          { name: 'Message Delivered', value: 'message.delivered', description: 'The first device of its recipient has it' },
          { name: 'Message Lost', value: 'message.lost', description: 'It was accepted, but can no longer be delivered' },
          { name: 'Message Read', value: 'message.read', description: 'Its recipient has read it, and lets others know that' },
          { name: 'Test', value: 'test', description: 'Somebody has pressed the button for a test' },
        ],
      },
    ],
  };

  methods = {
    credentialTest: {
      async testSecret(this: ICredentialTestFunctions, { data }: ICredentialsDecrypted): Promise<INodeCredentialTestResult> {
        const right = areSecrets(data?.secret);
        return { status: right ? 'OK' : 'Error', message: right ? 'It has the form of a secret' : noSecret };
      },
    },
  };

  // Webhooks of an account are made by people in the portal, never with a key.
  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { secret } = await this.getCredentials(credential);
        if (!areSecrets(secret)) throw new NodeOperationError(this.getNode(), noSecret);
        return true;
      },
      async create(this: IHookFunctions): Promise<boolean> {
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = await this.getCredentials<{ secret: string }>(credential);
    const { rawBody } = this.getRequestObject();
    if (!isSigned({ headers: this.getHeaderData(), body: rawBody }, secretsOf(secret))) {
      this.getResponseObject().status(401).send('The signature is not made with the secret of this trigger.');
      return { noWebhookResponse: true };
    }
    const wanted = new Set(this.getNodeParameter('events', []) as string[]);
    const id = this.getHeaderData()['webhook-id'];
    const events = eventsOf(this.getBodyData()).filter(({ event }) => wanted.has(event as string));
    if (events.length === 0) return {};
    return { workflowData: [events.map((event) => ({ json: { ...event, webhook_id: id } }))] };
  }
}

function areSecrets(text: unknown): boolean {
  const secrets = secretsOf(typeof text === 'string' ? text : '');
  return secrets.length > 0 && secrets.every(isSecret);
}

/** The events in a delivery, each with its name. Types that are not known give none. */
function eventsOf({ type, timestamp, data }: IDataObject): IDataObject[] {
  const { events, alerts, target_id } = data as IDataObject;
  if (type === 'messages') return events as IDataObject[];
  if (type === 'alerts') return (alerts as IDataObject[]).map((alert) => ({ event: 'alert', ...alert }));
  return type === 'test' ? [{ event: 'test', at: timestamp, target_id }] : [];
}
