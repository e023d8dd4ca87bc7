import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { instanceOf, listInstances } from './instances';
import { request } from './request';

/** How many numbers the gateway checks at once. */
const most = 50;

export const numberOperations: INodeProperties = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: ['number'] } },
  options: [
    {
      name: 'Check',
      value: 'check',
      description: 'Find out which phone numbers are on the network',
      action: 'Check which numbers are reachable',
    },
    {
      name: 'Get',
      value: 'get',
      description: 'Get one of your own numbers with its state at this moment',
      action: 'Get a number',
    },
    {
      name: 'Get Many',
      value: 'getAll',
      description: 'Get many of your own numbers',
      action: 'Get many numbers',
    },
  ],
  default: 'check',
};

export const numberFields: INodeProperties[] = [
  {
    displayName: 'Numbers to Check',
    name: 'numbers',
    type: 'string',
    default: '',
    required: true,
    displayOptions: { show: { resource: ['number'], operation: ['check'] } },
    placeholder: 'e.g. +49 170 1234567, +1 212 555 0100',
    description: 'One number with its country code, several with commas between them, or a list from an expression',
  },
];

/** What one item asks for: a row for each number. */
export async function askNumbers(context: IExecuteFunctions, operation: string, itemIndex: number): Promise<IDataObject[]> {
  if (operation === 'getAll') return await listInstances(context, itemIndex);
  const instanceId = instanceOf(context, itemIndex);
  if (operation === 'get') {
    const { data } = await request(context, { method: 'GET', path: `/v1/instances/${encodeURIComponent(instanceId)}/status`, itemIndex });
    return [data];
  }
  const all = numbersOf(context.getNodeParameter('numbers', itemIndex));
  const rows: IDataObject[] = [];
  for (let start = 0; start === 0 || start < all.length; start += most) {
    const body = { instance_id: instanceId, numbers: all.slice(start, start + most) };
    const { data } = await request(context, { method: 'POST', path: '/v1/numbers/check', body, itemIndex });
    rows.push(...(data.results as IDataObject[]));
  }
  return rows;
}

function numbersOf(value: unknown): string[] {
  const parts = Array.isArray(value) ? value : String(value ?? '').split(/[,;\n]/);
  return parts.map((part) => String(part).trim()).filter((part) => part !== '');
}
