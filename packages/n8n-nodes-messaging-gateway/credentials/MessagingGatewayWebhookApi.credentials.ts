import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

export class MessagingGatewayWebhookApi implements ICredentialType {
  name = 'messagingGatewayWebhookApi';

  displayName = 'Messaging Gateway Webhook API';

  icon: Icon = { light: 'file:../icons/gateway.svg', dark: 'file:../icons/gateway.dark.svg' };

  documentationUrl = 'https://example.com/messaging-gateway/n8n#trigger';

  properties: INodeProperties[] = [
    {
      displayName: 'Secret',
      name: 'secret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      placeholder: 'whsec_…',
      description: 'The portal shows it once, when the webhook is made. Several, with spaces between them, are all accepted.',
    },
  ];
}
