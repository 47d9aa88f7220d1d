import { randomBytes } from 'node:crypto';
import type { Client } from './client';

/** An account in the scene. */
export interface Participant {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly client: Client;
}

/** A person who can sign in. */
export interface PersonWithPassword extends Participant {
  readonly password: string;
}

/** A bot of the owner, as it is after it was made. */
export async function botOf(client: Client, id: number, apiKey: string): Promise<Participant> {
  const { user } = await client.ok(`GET /users/${id}`);
  const { email, full_name: name } = user as { email: string; full_name: string };
  return { id, email, name, client: client.as({ email, apiKey }) };
}

/** Makes a person with a key. @returns why not, where the server does not let it */
export async function makePerson(
  client: Client,
  run: string,
  ownerEmail: string,
): Promise<PersonWithPassword | string> {
  const email = `conformance-${run}@${ownerEmail.split('@')[1] ?? 'example.com'}`;
  const password = randomBytes(18).toString('base64');
  const name = `Conformance Person ${run}`;
  const { body } = await client.ask('POST /users', { email, password, full_name: name });
  if (body['result'] !== 'success') return `The owner may not make people: ${String(body['msg'])}`;
  const id = Number(body['user_id']);
  const key = await client.as(null).ask('POST /fetch_api_key', { username: email, password });
  if (key.status !== 200) {
    await client.ask(`DELETE /users/${id}`);
    return `People cannot sign in with a password: ${String(key.body['msg'])}`;
  }
  return { id, email, name, password, client: client.as({ email, apiKey: String(key.body['api_key']) }) };
}
