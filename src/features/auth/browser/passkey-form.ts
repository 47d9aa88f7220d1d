import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieName, readCookies, sendCookie } from '../../../platform/http/doors/session-cookie';
import { type Html, markup, runsScript, SAYS_ITS_SITE } from '../../../platform/pages/web-page';
import type { NewChallenge, PasskeyProof } from '../../users/users.module';
import type { PasskeyDto } from './sign-in.api';

/** Endpoint that returns the options for using a passkey. */
const PASSKEY_CHALLENGE_PATH = '/login/passkey/challenge';

/** Endpoint for signing in with only a passkey. */
export const PASSKEY_PATH = '/login/passkey';

/** Endpoint for a session that lacks its second factor: returns the options for creating a passkey, and adds it. */
export const NEW_PASSKEY_PATH = '/login/second-factor/passkey';

/** How long a browser offers passkeys with one challenge, which is valid for five minutes. */
const OFFERED_MS = 4 * 60_000;

/** The fields that each form sends. */
const FIELDS = {
  use: ['credential_id', 'client_data', 'authenticator_data', 'signature'],
  make: ['client_data', 'attestation_object'],
} as const;

/**
 * Passkeys require a script: the button appears in browsers that support them. It requests a challenge, lets the person
 * choose and unlock a passkey, or create one, and submits the form with the response. If a field accepts passkeys, the
 * browser also offers them there, without the button, and with a new challenge before the last one expires or is
 * replaced by another tab.
 */
export const PASSKEY_SCRIPT = `
'use strict';
for (const button of document.querySelectorAll('button[data-passkey]')) {
  const { form } = button;
  const problem = document.getElementById('passkey-problem');
  const isNew = button.dataset.passkey === 'make';
  let waiting = new AbortController();
  const options = async (signal) => {
    const token = form.elements.namedItem('csrfmiddlewaretoken');
    const headers = token ? { 'X-CSRFToken': token.value } : {};
    const path = isNew ? '${NEW_PASSKEY_PATH}/challenge' : '${PASSKEY_CHALLENGE_PATH}';
    const answer = await fetch(path, { method: 'POST', headers, signal });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };
  const make = async () =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(await options()) });
  const use = async (mediation) => {
    waiting.abort();
    waiting = new AbortController();
    const { signal } = waiting;
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await options(signal));
    return navigator.credentials.get({ publicKey, mediation, signal });
  };
  const send = async (mediation) => {
    const { id, response } = (await (isNew ? make() : use(mediation))).toJSON();
    const fields = isNew
      ? { client_data: response.clientDataJSON, attestation_object: response.attestationObject }
      : {
          credential_id: id,
          client_data: response.clientDataJSON,
          authenticator_data: response.authenticatorData,
          signature: response.signature,
        };
    for (const [name, value] of Object.entries(fields)) form.elements.namedItem(name).value = value;
    form.submit();
  };
  button.hidden = typeof PublicKeyCredential !== 'function' || !PublicKeyCredential.parseRequestOptionsFromJSON;
  button.addEventListener('click', () => {
    problem.hidden = true;
    button.disabled = true;
    send().catch((error) => {
      problem.textContent = problem.dataset[error.name === 'NotAllowedError' ? 'unused' : 'failed'];
      problem.hidden = false;
      button.disabled = false;
      offer();
    });
  });
  const isOffered = !isNew && !button.hidden && document.querySelector('[autocomplete~="webauthn"]') !== null;
  const offer = async () => {
    if (!isOffered || document.hidden || button.disabled) return;
    if (await PublicKeyCredential.isConditionalMediationAvailable?.())
      send('conditional').catch(() => undefined);
  };
  offer();
  document.addEventListener('visibilitychange', offer);
  setInterval(offer, ${OFFERED_MS});
}
`;

/** Headers of pages with {@link passkeyForm}. */
export const PASSKEY_HEADERS = { ...SAYS_ITS_SITE, ...runsScript(PASSKEY_SCRIPT) };

/** The texts of the form. */
interface PasskeyWords {
  readonly action: string;
  readonly unused: string;
  readonly failed: string;
}

/** The button, and the form that it submits. @param hidden additional fields of the form */
export function passkeyForm(
  postedTo: string,
  hidden: Readonly<Record<string, string>>,
  { action, unused, failed }: PasskeyWords,
  what: keyof typeof FIELDS = 'use',
): Html {
  const empty = Object.fromEntries(FIELDS[what].map((name) => [name, '']));
  return markup`<form method="post" action="${postedTo}">
      ${Object.entries({ ...hidden, ...empty }).map(
        ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <button type="button" data-passkey="${what}" hidden>${action}</button>
    </form>
    <p id="passkey-problem" class="no" role="alert" data-unused="${unused}" data-failed="${failed}" hidden></p>`;
}

/** Keeps the challenge in the browser for which it was created, inaccessible to scripts; null deletes it. */
export function keepChallenge(
  request: FastifyRequest,
  reply: FastifyReply,
  made: Pick<NewChallenge, 'state' | 'timeout'> | null,
): void {
  const name = cookieName(request, '_passkey');
  sendCookie(request, reply, { name, value: made?.state ?? '', seconds: (made?.timeout ?? 0) / 1000 });
}

/** The challenge that this browser requested. */
export function keptState(request: FastifyRequest): string {
  return readCookies(request)[cookieName(request, '_passkey')] ?? '';
}

/** A passkey's response in a form; undefined if the form contains none. */
export function passkeyIn(request: FastifyRequest, sent: PasskeyDto): PasskeyProof | undefined {
  if (!sent.signature) return undefined;
  return {
    state: keptState(request),
    credentialId: sent.credential_id ?? '',
    clientData: sent.client_data ?? '',
    authenticatorData: sent.authenticator_data ?? '',
    signature: sent.signature,
  };
}
