import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { searchInstances } from './instances';
import { messageFields, messageOperations } from './messages';
import { askNumbers, numberFields, numberOperations } from './numbers';
import { answerOf, stopIfCancelled } from './request';
import { senderOf } from './send';

export class MessagingGateway implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Messaging Gateway',
    name: 'messagingGateway',
    icon: { light: 'file:../../icons/gateway.svg', dark: 'file:../../icons/gateway.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Send WhatsApp messages through your own messaging gateway',
    defaults: { name: 'Messaging Gateway' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'messagingGatewayApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Message', value: 'message' },
          { name: 'Number', value: 'number' },
        ],
        default: 'message',
      },
      messageOperations,
      numberOperations,
      {
        displayName: 'Own Number',
        name: 'instance_id',
        type: 'resourceLocator',
        default: { mode: 'list', value: '' },
        required: true,
        displayOptions: { hide: { operation: ['getAll'] } },
        description: 'The number of yours that sends or asks',
        modes: [
          {
            displayName: 'From List',
            name: 'list',
            type: 'list',
            placeholder: 'Choose a number...',
            typeOptions: { searchListMethod: 'searchInstances', searchable: true },
          },
          {
            displayName: 'By ID',
            name: 'id',
            type: 'string',
            placeholder: 'e.g. 01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11',
            validation: [
              {
                type: 'regex',
                properties: {
                  regex: '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
                  errorMessage: 'Not the ID of a number (instance_id)',
                },
              },
            ],
          },
        ],
      },
      ...messageFields,
      ...numberFields,
    ],
  };

  methods = { listSearch: { searchInstances } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const operation = this.getNodeParameter('operation', 0) as string;
    const isMessage = this.getNodeParameter('resource', 0) === 'message';
    const send = isMessage ? senderOf(this, operation) : null;
    const done: INodeExecutionData[] = [];
    const count = this.getInputData().length;
    for (let item = 0; item < count; item++) {
      stopIfCancelled(this);
      try {
        const rows: IDataObject[] = send === null ? await askNumbers(this, operation, item) : [await send(item)];
        done.push(...rows.map((json) => ({ json, pairedItem: { item } })));
      } catch (error) {
        const shown =
          error instanceof NodeApiError || error instanceof NodeOperationError
            ? error
            : new NodeOperationError(this.getNode(), error as Error, { itemIndex: item });
        if (!this.continueOnFail()) throw shown;
        // n8n knows a failed item by this one field; of an item with an error beside its json it would keep the message only.
        done.push({ json: { error: { message: shown.message, ...answerOf(shown) } }, pairedItem: { item } });
      }
    }
    return [done];
  }
}
