import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

export class MessagingGatewayApi implements ICredentialType {
  name = 'messagingGatewayApi';

  displayName = 'Messaging Gateway API';

  icon: Icon = { light: 'file:../icons/gateway.svg', dark: 'file:../icons/gateway.dark.svg' };

  documentationUrl = 'https://example.com/messaging-gateway/n8n#credentials';

  properties: INodeProperties[] = [
    {
      displayName: 'Address',
      name: 'address',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://gateway.example.com',
      description: 'Where your gateway is, without a path',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'From the portal, under Keys',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { apikey: '={{$credentials.apiKey}}' } },
  };

  // Needs a key that works, and sends nothing.
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.address}}', url: '/v1/instances' },
  };
}
