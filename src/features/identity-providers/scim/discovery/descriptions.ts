import { ROLE_NAMES } from '../../../../platform/actor';
import { GROUP_SCHEMA } from '../groups/scim-groups.service';
import { USER_SCHEMA } from '../people/person-resource';
import { MAX_RESULTS } from '../protocol/listing';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

/** The service provider configuration (RFC 7643, 5). */
export function serviceProviderConfig(site: string): object {
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A key that the operator or an owner made for the directory.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${site}/scim/v2/ServiceProviderConfig` },
  };
}

/** The resource types (RFC 7643, 6). */
export function resourceTypes(site: string): Described[] {
  const kinds = [
    { id: 'User', endpoint: '/Users', schema: USER_SCHEMA },
    { id: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA },
  ];
  return kinds.map((kind) => ({
    schemas: [`${CORE}:ResourceType`],
    name: kind.id,
    ...kind,
    meta: { resourceType: 'ResourceType', location: `${site}/scim/v2/ResourceTypes/${kind.id}` },
  }));
}

/** The schemas of the resources (RFC 7643, 7). */
export function schemas(site: string): Described[] {
  return [
    { id: USER_SCHEMA, name: 'User', attributes: USER_ATTRIBUTES },
    { id: GROUP_SCHEMA, name: 'Group', attributes: GROUP_ATTRIBUTES },
  ].map((schema) => ({
    schemas: [`${CORE}:Schema`],
    ...schema,
    meta: { resourceType: 'Schema', location: `${site}/scim/v2/Schemas/${schema.id}` },
  }));
}

/** A description with an ID. */
export interface Described {
  readonly id: string;
}

interface Attribute {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

function attribute(name: string, further: object = {}): Attribute {
  return {
    name,
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...further,
  } as Attribute;
}

const USER_ATTRIBUTES = [
  attribute('userName', { required: true, uniqueness: 'server' }),
  attribute('externalId', { caseExact: true }),
  attribute('name', {
    type: 'complex',
    subAttributes: ['formatted', 'givenName', 'familyName'].map((name) => attribute(name)),
  }),
  attribute('displayName'),
  attribute('emails', {
    type: 'complex',
    multiValued: true,
    subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
  }),
  attribute('active', { type: 'boolean' }),
  attribute('roles', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', { canonicalValues: ROLE_NAMES }),
      attribute('primary', { type: 'boolean' }),
    ],
  }),
];

const GROUP_ATTRIBUTES = [
  attribute('displayName', { required: true, uniqueness: 'server' }),
  attribute('externalId', { caseExact: true }),
  attribute('members', {
    type: 'complex',
    multiValued: true,
    subAttributes: [attribute('value'), attribute('display', { mutability: 'readOnly' }), attribute('type')],
  }),
];
