import { referenceTo, type Schema } from '../../src/features/web/api-description/openapi';
import type { ServerProgram } from './server-program';
import { inOrder, type TypeSchemas } from './type-schemas';

/** The type of queue events; its component lists every kind of event instead. */
const ANY_EVENT = 'ClientEvent';

/** Adds the fields that higher features contribute to message records. */
export function addMessageFields(program: ServerProgram, schemas: TypeSchemas): void {
  const { types, inAll } = program.messageContributions();
  const properties: Record<string, Schema> = {};
  for (const type of types) Object.assign(properties, schemas.membersOf(type, 'message').properties);
  const members = { properties, required: [...inAll] };
  for (const name of ['MessageWire', 'FetchedMessage']) schemas.addTo(name, members);
}

/** Adds a component for each kind of event, and one for any of them. */
export function addEvents(program: ServerProgram, schemas: TypeSchemas): void {
  const kinds = new Map<string, Schema>();
  for (const { type, op, payload, docstring } of program.events()) {
    const name = `${pascal(type)}${pascal(op ?? '')}Event`;
    const names: Record<string, Schema> = {
      type: { const: type },
      ...(op !== null && { op: { const: op } }),
    };
    const forms = (payload.isUnion() ? payload.types : [payload]).map((form) =>
      withNames(schemas.membersOf(form, `event ${type}`), names),
    );
    if (type === 'delete_message') forms.push(...forms.map(singleDeletion));
    if (type === 'message') forms[0]!.properties!.local_message_id = LOCAL_ID;
    const schema = forms.length === 1 ? forms[0]! : { anyOf: inOrder(forms) };
    const known = kinds.get(name);
    const described = { ...(docstring.text !== '' && { description: docstring.text }), ...schema };
    kinds.set(name, known ? { anyOf: inOrder([...(known.anyOf ?? [known]), described]) } : described);
  }
  for (const [name, schema] of kinds) schemas.define(name, schema);
  schemas.define(ANY_EVENT, {
    description: 'An event, of any kind.',
    anyOf: [...kinds.keys()].sort().map(referenceTo),
  });
}

const LOCAL_ID: Schema = {
  description: 'What the client that sent the message called it; in its own queue only.',
  type: 'string',
};

/** The event for clients that receive deletions one at a time. */
function singleDeletion(form: Schema): Schema {
  const { message_ids: _, ...properties } = form.properties ?? {};
  const required = (form.required ?? []).map((key) => (key === 'message_ids' ? 'message_id' : key));
  return { ...form, properties: { ...properties, message_id: { type: 'integer' } }, required };
}

/** Adds the keys common to all events. */
function withNames(payload: Schema, names: Record<string, Schema>): Schema {
  const { properties = {}, required = [], ...rest } = payload;
  return {
    ...rest,
    type: 'object',
    properties: { id: { type: 'integer' }, ...names, ...properties },
    required: ['id', ...Object.keys(names), ...required],
  };
}

/** The response to a registering client: its constant keys, and those contributed by features. */
export function addState(program: ServerProgram, schemas: TypeSchemas): void {
  const always = schemas.membersOf(program.typeNamed('RegistrationWire'), 'RegistrationWire');
  const properties = { ...always.properties };
  for (const type of program.stateContributions()) {
    for (const form of type.isUnion() ? type.types : [type]) {
      const { properties: keys = {} } = schemas.membersOf(form, 'state');
      for (const [key, schema] of Object.entries(keys)) properties[key] = eitherOf(properties[key], schema);
    }
  }
  const sorted = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
  const { required = [] } = always;
  schemas.define('Registration', { type: 'object', properties: Object.fromEntries(sorted), required });
}

function eitherOf(known: Schema | undefined, schema: Schema): Schema {
  if (known === undefined || JSON.stringify(known) === JSON.stringify(schema)) return schema;
  return { anyOf: inOrder([...(known.anyOf ?? [known]), schema]) };
}

function pascal(words: string): string {
  return words.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
