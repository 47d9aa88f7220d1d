import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieName, readCookies, sendCookie } from '../../../platform/http/doors/session-cookie';
import { type Html, markup, runsScript, SAYS_ITS_SITE } from '../../../platform/pages/web-page';
import type { MadeChallenge, PasskeyProof } from '../../users/users.module';
import type { PasskeyDto } from './sign-in.api';

/** Where a browser gets what it needs to use a passkey. */
export const PASSKEY_CHALLENGE_PATH = '/login/passkey/challenge';

/** Where it signs in with one alone. */
export const PASSKEY_PATH = '/login/passkey';

const FIELDS = ['credential_id', 'client_data', 'authenticator_data', 'signature'] as const;

/**
 * Passkeys work by script alone: the button shows where a browser has them. It asks for a challenge, has the person choose
 * and unlock a passkey, and sends the form with what that signed.
 */
export const PASSKEY_SCRIPT = `
'use strict';
for (const button of document.querySelectorAll('button[data-passkey]')) {
  const problem = document.getElementById('passkey-problem');
  const use = async () => {
    const answer = await fetch('${PASSKEY_CHALLENGE_PATH}', { method: 'POST' });
    if (!answer.ok) throw new Error(String(answer.status));
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await answer.json());
    const { id, response } = (await navigator.credentials.get({ publicKey })).toJSON();
    const fields = {
      credential_id: id,
      client_data: response.clientDataJSON,
      authenticator_data: response.authenticatorData,
      signature: response.signature,
    };
    for (const [name, value] of Object.entries(fields)) button.form.elements.namedItem(name).value = value;
    button.form.submit();
  };
  button.hidden = typeof PublicKeyCredential !== 'function' || !PublicKeyCredential.parseRequestOptionsFromJSON;
  button.addEventListener('click', () => {
    problem.hidden = true;
    button.disabled = true;
    use().catch((error) => {
      problem.textContent = problem.dataset[error.name === 'NotAllowedError' ? 'unused' : 'failed'];
      problem.hidden = false;
      button.disabled = false;
    });
  });
}
`;

/** Headers of pages with {@link passkeyForm}. */
export const PASSKEY_HEADERS = { ...SAYS_ITS_SITE, ...runsScript(PASSKEY_SCRIPT) };

/** What the form says. */
interface PasskeyWords {
  readonly action: string;
  readonly unused: string;
  readonly failed: string;
}

/** The button, and the form that it sends. @param hidden further fields of the form */
export function passkeyForm(
  postedTo: string,
  hidden: Readonly<Record<string, string>>,
  { action, unused, failed }: PasskeyWords,
): Html {
  const empty = Object.fromEntries(FIELDS.map((name) => [name, '']));
  return markup`<form method="post" action="${postedTo}">
      ${Object.entries({ ...hidden, ...empty }).map(
        ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <button type="button" data-passkey hidden>${action}</button>
    </form>
    <p id="passkey-problem" class="no" role="alert" data-unused="${unused}" data-failed="${failed}" hidden></p>`;
}

/** The challenge stays in the browser for which it was made, out of reach of scripts; null takes it away. */
export function keepChallenge(
  request: FastifyRequest,
  reply: FastifyReply,
  made: Pick<MadeChallenge, 'state' | 'timeout'> | null,
): void {
  const name = cookieName(request, '_passkey');
  sendCookie(request, reply, { name, value: made?.state ?? '', seconds: (made?.timeout ?? 0) / 1000 });
}

/** The answer of a passkey in a form; undefined if the form has none. */
export function passkeyIn(request: FastifyRequest, sent: PasskeyDto): PasskeyProof | undefined {
  if (!sent.signature) return undefined;
  return {
    state: readCookies(request)[cookieName(request, '_passkey')] ?? '',
    credentialId: sent.credential_id ?? '',
    clientData: sent.client_data ?? '',
    authenticatorData: sent.authenticator_data ?? '',
    signature: sent.signature,
  };
}
