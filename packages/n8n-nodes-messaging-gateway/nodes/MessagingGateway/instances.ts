import type { IDataObject, IExecuteFunctions, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { request } from './request';

interface Instance {
  readonly instance_id: string;
  readonly label: string | null;
  readonly phone_number: string | null;
  readonly connected: boolean;
}

export async function listInstances(context: IExecuteFunctions | ILoadOptionsFunctions, itemIndex: number): Promise<IDataObject[]> {
  const { data } = await request(context, { method: 'GET', path: '/v1/instances', itemIndex });
  return data.instances as IDataObject[];
}

/** The account's numbers, for the drop-down list. */
export async function searchInstances(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
  const instances = (await listInstances(this, 0)) as unknown as readonly Instance[];
  const results = instances.map(({ instance_id, label, phone_number, connected }) => ({
    name: `${[label, phone_number].filter(Boolean).join(' · ') || instance_id}${connected ? '' : ' (not connected)'}`,
    value: instance_id,
  }));
  return { results: results.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase())) };
}

/** The id of the number that an item chooses. */
export function instanceOf(context: IExecuteFunctions, itemIndex: number): string {
  return context.getNodeParameter('instance_id', itemIndex, '', { extractValue: true }) as string;
}
