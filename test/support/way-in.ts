import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Transaction, TransactionService } from '../../src/platform/database/transaction.service';
import { Sealer } from '../../src/platform/secrets/server-secret';
import { AccountIdentity } from '../../src/features/identity-providers/account-identity.entity';
import { OrganizationDirectory } from '../../src/features/organization-settings/organization.directory';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { codeAt } from '../../src/features/users/factors/one-time-codes';
import { SecondFactor } from '../../src/features/users/factors/second-factor.entity';
import { SecondFactors } from '../../src/features/users/factors/second-factors.service';
import { Clock } from '../../src/platform/clock';
import { LyingProvider } from './lying-provider';

/**
 * How people sign in on the servers of this run: with a `password`; with a password and a second `factor`, required of
 * everyone; or only with an identity `provider`. `test/spec/ways-in.tsv` lists the exceptions of each.
 */
export const WAY_IN = (process.env.TEST_SIGN_IN ?? 'password') as 'password' | 'factor' | 'provider';

const NAME = 'liar';

if (!['password', 'factor', 'provider'].includes(WAY_IN)) {
  throw new Error(`TEST_SIGN_IN is "${WAY_IN}": it must be password, factor or provider.`);
}

let started: Promise<LyingProvider> | undefined;

/** One honest provider serves all servers of a test file. */
async function providerOfRun(): Promise<LyingProvider> {
  started ??= LyingProvider.start();
  const provider = await started;
  provider.unref();
  return provider;
}

/**
 * Settings of a server in this run, unless a test overrides them.
 * @param folder for files, which must exist afterwards
 */
export async function wayInEnvironment(folder: string): Promise<Readonly<Record<string, string>>> {
  if (WAY_IN !== 'provider') return {};
  const { issuer } = await providerOfRun();
  mkdirSync(folder);
  writeFileSync(join(folder, 'secret'), 'a secret');
  const client = { client_id: 'client-liar', client_secret_file: 'secret' };
  writeFileSync(fileIn(folder), JSON.stringify([{ name: NAME, label: 'Tests', issuer, ...client }]));
  return { IDENTITY_PROVIDERS: fileIn(folder) };
}

const fileIn = (folder: string) => join(folder, 'providers.json');

/** Disables the other ways to sign in. A server with a test's own identity providers keeps its ways. */
export async function closeOtherWays(
  nest: NestFastifyApplication,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  if (WAY_IN === 'password') return;
  if (WAY_IN === 'provider' && env.IDENTITY_PROVIDERS !== fileIn(folder)) return;
  const organization = nest.get(OrganizationDirectory, { strict: false });
  await writing(nest, (tx) =>
    WAY_IN === 'factor'
      ? organization.store(tx, 'second_factor_required', { of: 'everyone', from: 0 })
      : organization.store(tx, 'authentication_methods', { Email: false, LDAP: false }),
  );
}

/**
 * Gives a person a second factor unless they have one of this kind, and clears the record of used codes.
 * @returns the current code; null for unknown addresses
 */
export async function currentCode(nest: NestFastifyApplication, email: string): Promise<string | null> {
  const service = <T>(token: Type<T>) => nest.get(token, { strict: false });
  const userId = service(AccountDirectory).byDeliveryEmail(email)?.id;
  if (userId === undefined) return null;
  const row = () => writing(nest, (tx) => tx.repository(SecondFactor).findOneBy({ userId }));
  if (!(await row())) {
    await service(SecondFactors).begin(userId);
    await writing(nest, (tx) => tx.repository(SecondFactor).update({ userId }, { isConfirmed: true }));
  }
  await writing(nest, (tx) => tx.repository(SecondFactor).update({ userId }, { newestStep: 0 }));
  const [, seed = ''] = (service(Sealer).open('second-factors', (await row())?.sealedSeed ?? '') ?? '').split(
    ' ',
  );
  return codeAt(seed, Math.floor(nest.get(Clock, { strict: false }).nowSeconds() / 30));
}

/** Serializes sign-ins at the provider. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Signs a person in at the provider, to which their account is linked from now on.
 * @param visit opens a URL of the server, and returns the redirect
 * @returns the result of the last visit; null for unknown addresses, and if the server does not use this provider
 */
export function throughProvider<Result extends { readonly headers: { readonly location?: unknown } }>(
  nest: NestFastifyApplication,
  { email, next = '/' }: { readonly email: string; readonly next?: string },
  visit: (url: string) => Promise<Result>,
): Promise<Result | null> {
  const signIn = async () => {
    const provider = await providerOfRun();
    const account = nest.get(AccountDirectory, { strict: false }).byDeliveryEmail(email);
    if (!account) return null;
    const [userId, issuer, sub] = [account.id, provider.issuer, `sub-${account.id}`];
    await writing(nest, async (tx) => {
      const identities = tx.repository(AccountIdentity);
      if (!(await identities.existsBy({ userId, issuer })))
        await identities.insert({ userId, issuer, sub, createdAt: 0 });
    });
    provider.lie = (token) => ({ ...token, claims: { ...token.claims, sub, email, name: account.fullName } });
    const begun = await visit(
      `/accounts/login/social/oidc/${NAME}?${new URLSearchParams({ next }).toString()}`,
    );
    const location = String(begun.headers.location);
    if (!location.startsWith(provider.issuer)) return null;
    const { searchParams } = new URL(location);
    provider.nonce = searchParams.get('nonce') ?? '';
    const answer = new URLSearchParams({ code: 'a code', state: searchParams.get('state') ?? '' });
    return visit(`/complete/oidc/${NAME}/?${answer.toString()}`);
  };
  const mine = turn.then(signIn);
  turn = mine.catch(() => undefined);
  return mine;
}

function writing<Result>(
  nest: NestFastifyApplication,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return nest.get(TransactionService, { strict: false }).runExclusive(work);
}
