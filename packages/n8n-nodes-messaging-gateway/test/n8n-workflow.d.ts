// The part of n8n's types that these nodes use. n8n's own come with n8n, and `n8n-node build` compiles with those.
declare module 'n8n-workflow' {
  export type GenericValue = string | object | number | boolean | undefined | null;
  export interface IDataObject {
    [key: string]: GenericValue | IDataObject | GenericValue[] | IDataObject[];
  }
  export type JsonObject = { [key: string]: JsonValue };
  type JsonValue = string | number | boolean | null | JsonObject | JsonValue[];
  export type Icon = `file:${string}` | { light: `file:${string}`; dark: `file:${string}` };
  export type IHttpRequestMethods = 'DELETE' | 'GET' | 'PATCH' | 'POST';

  interface INode {
    id: string;
    name: string;
    type: string;
  }
  interface Choice {
    name: string;
    value: string;
    description?: string;
    action?: string;
  }
  interface Group {
    displayName: string;
    name: string;
    values: INodeProperties[];
  }
  interface Mode {
    displayName: string;
    name: string;
    type: 'list' | 'string';
    placeholder?: string;
    typeOptions?: { searchListMethod: string; searchable: boolean };
    validation?: { type: 'regex'; properties: { regex: string; errorMessage: string } }[];
  }
  export interface INodeProperties {
    displayName: string;
    name: string;
    type:
      | ('boolean' | 'collection' | 'fixedCollection' | 'json' | 'multiOptions')
      | ('notice' | 'number' | 'options' | 'resourceLocator' | 'string');
    default: GenericValue;
    required?: boolean;
    noDataExpression?: boolean;
    description?: string;
    hint?: string;
    placeholder?: string;
    displayOptions?: { show?: Record<string, unknown[]>; hide?: Record<string, unknown[]> };
    typeOptions?: Record<string, GenericValue>;
    options?: (Choice | Group | INodeProperties)[];
    modes?: Mode[];
  }

  export interface INodeExecutionData {
    json: IDataObject;
    pairedItem?: { item: number };
  }
  export interface INodeTypeDescription {
    displayName: string;
    name: string;
    icon: Icon;
    group: ('output' | 'trigger')[];
    version: number;
    subtitle: string;
    description: string;
    defaults: { name: string };
    usableAsTool?: true;
    inputs: 'main'[];
    outputs: 'main'[];
    credentials: { name: string; required: boolean; testedBy?: string }[];
    webhooks?: { name: 'default'; httpMethod: 'POST'; responseMode: 'onReceived'; path: string }[];
    properties: INodeProperties[];
  }
  export interface INodeType {
    description: INodeTypeDescription;
  }

  interface Functions {
    getNode(): INode;
    getWorkflow(): { id?: string };
    getInstanceId(): string;
    getCredentials<T extends object = IDataObject>(type: string, itemIndex?: number): Promise<T>;
    helpers: {
      httpRequestWithAuthentication(this: Functions, credential: string, options: HttpOptions): Promise<unknown>;
    };
  }
  export interface HttpOptions {
    method: IHttpRequestMethods;
    url: string;
    headers: Record<string, string>;
    body?: IDataObject;
    timeout: number;
    json: boolean;
    returnFullResponse: boolean;
    ignoreHttpStatusErrors: boolean;
    disableFollowRedirect: boolean;
  }
  export interface IExecuteFunctions extends Functions {
    getNodeParameter(name: string, itemIndex: number, fallback?: unknown, options?: { extractValue: boolean }): GenericValue;
    getInputData(): INodeExecutionData[];
    getExecutionId(): string;
    getContext(type: 'node'): IDataObject;
    getWorkflowDataProxy(itemIndex: number): { $runIndex: number; $execution: { resumeUrl?: string } };
    getExecutionCancelSignal(): AbortSignal | undefined;
    continueOnFail(): boolean;
  }
  export type ILoadOptionsFunctions = Functions;
  export type IHookFunctions = Functions;
  export interface IWebhookFunctions extends Functions {
    getRequestObject(): { rawBody: Buffer | undefined };
    getResponseObject(): { status(code: number): { send(text: string): unknown } };
    getHeaderData(): Record<string, string | string[] | undefined>;
    getBodyData(): IDataObject;
    getNodeParameter(name: string, fallback?: unknown): GenericValue;
  }
  export interface IWebhookResponseData {
    workflowData?: INodeExecutionData[][];
    noWebhookResponse?: boolean;
  }
  export interface INodeListSearchResult {
    results: { name: string; value: string }[];
  }

  export interface ICredentialType {
    name: string;
    displayName: string;
    icon: Icon;
    documentationUrl: string;
    properties: INodeProperties[];
  }
  export interface IAuthenticateGeneric {
    type: 'generic';
    properties: { headers: Record<string, string> };
  }
  export interface ICredentialTestRequest {
    request: { baseURL: string; url: string };
  }
  export type ICredentialTestFunctions = object;
  export interface ICredentialsDecrypted {
    data?: IDataObject;
  }
  export interface INodeCredentialTestResult {
    status: 'OK' | 'Error';
    message: string;
  }

  export const NodeConnectionTypes: { readonly Main: 'main' };
  export function sleep(ms: number): Promise<void>;
  interface ErrorOptions {
    message?: string;
    description?: string;
    itemIndex?: number;
    httpCode?: string;
  }
  export class NodeOperationError extends Error {
    context: IDataObject;
    description: string | null | undefined;
    constructor(node: INode, error: Error | string, options?: ErrorOptions);
  }
  export class NodeApiError extends Error {
    context: IDataObject;
    description: string | null | undefined;
    httpCode: string | null;
    constructor(node: INode, error: JsonObject, options?: ErrorOptions);
  }
}
