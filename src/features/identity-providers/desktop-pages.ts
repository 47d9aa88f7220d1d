import { createCipheriv, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SIGN_IN_PATH } from '../../platform/errors/request.errors';
import { readCookies, sendCookie } from '../../platform/http/doors/session-cookie';
import { markup, type Page, PageRefusal, runsScript } from '../../platform/pages/web-page';
import { wordsIn } from './provider-words';

/** Path at which the desktop app takes over a sign-in; the token follows. */
const TAKE_OVER_PATH = '/accounts/login/subdomain/';

/**
 * Cookie that contains the token when the app opens that path, so that a link alone is not enough. Over TLS, its
 * `__Host-` prefix keeps other hosts from setting it.
 */
const TOKEN_COOKIE = 'parley_desktop';
const SECURE_TOKEN_COOKIE = `__Host-${TOKEN_COOKIE}`;

/**
 * In the app, opens the same URL with a key in the user's browser, and continues with the token that was encrypted with
 * it: read from the clipboard by the app's bridge, or else from the field. In the browser, copies the token.
 */
const SCRIPT = `
'use strict';
const bytesOf = (text) => Uint8Array.from(text.trim().match(/^([0-9a-f]{2})+$/i) ? text.trim().match(/../g) : [], (pair) => parseInt(pair, 16));
const byHand = async (field, problem) => {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const secret = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
  const read = async () => {
    const data = bytesOf(field.value);
    const token = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: data.slice(0, 12) }, secret, data.slice(12));
    return new TextDecoder().decode(token);
  };
  const pasted = new Promise((resolve) => {
    field.addEventListener('input', () => {
      problem.hidden = true;
      read().then(resolve, () => undefined);
    });
    field.form.addEventListener('submit', () => {
      read().then(resolve, () => {
        problem.hidden = false;
      });
    });
  });
  return { key, pasted };
};
const finish = async (form) => {
  const field = document.getElementById('token');
  form.addEventListener('submit', (event) => event.preventDefault());
  const bridged = window.electron_bridge?.decrypt_clipboard?.(1);
  if (!bridged && !crypto.subtle) {
    document.getElementById('insecure').hidden = false;
    return;
  }
  const { key, pasted } = bridged ?? (await byHand(field, document.getElementById('bad-token')));
  const address = new URL(location.href);
  address.searchParams.set('desktop_flow_otp', Array.from(key, (byte) => byte.toString(16).padStart(2, '0')).join(''));
  const again = document.getElementById('again');
  again.href = address.href;
  again.hidden = false;
  window.open(address.href, '_blank', 'noopener');
  field.focus();
  const token = encodeURIComponent(await pasted);
  const [name, more] = location.protocol === 'https:' ? ['${SECURE_TOKEN_COOKIE}', '; Secure'] : ['${TOKEN_COOKIE}', ''];
  document.cookie = name + '=' + token + '; Path=/; Max-Age=60; SameSite=Strict' + more;
  location.href = '${TAKE_OVER_PATH}' + token;
};
const offerCopy = (button) => {
  const field = document.getElementById('desktop-data');
  button.addEventListener('click', async () => {
    field.select();
    const byCommand = () => document.execCommand('copy');
    const isCopied = await (navigator.clipboard?.writeText(field.value).then(() => true, byCommand) ?? byCommand());
    document.getElementById('copied').hidden = !isCopied;
  });
  button.hidden = false;
};
const form = document.getElementById('desktop-form');
if (form) void finish(form);
const button = document.getElementById('copy');
if (button) offerCopy(button);
`;

/** Headers for routes that may return one of these pages. */
export const DESKTOP_HEADERS = runsScript(SCRIPT);

/** Whether the request comes from the desktop app, which signs in through a browser. */
export function isDesktopApp({ headers }: FastifyRequest): boolean {
  return headers['user-agent']?.includes('ZulipElectron') === true;
}

/** Whether the cookie that the page in the app set contains this token. */
export function hasToken(request: FastifyRequest, token: string): boolean {
  const cookies = readCookies(request);
  if (cookies[SECURE_TOKEN_COOKIE] === token) return true;
  return !request.server.transport.isSecureRequest(request.raw) && cookies[TOKEN_COOKIE] === token;
}

/** Clears the token cookie in the app. */
export function clearToken(request: FastifyRequest, reply: FastifyReply): void {
  const cookies = readCookies(request);
  const name = SECURE_TOKEN_COOKIE in cookies ? SECURE_TOKEN_COOKIE : TOKEN_COOKIE;
  sendCookie(request, reply, { name, value: '', seconds: 0 });
}

/** The page that the app shows while the user signs in with a browser. */
export const finishPage: Page = (language) => {
  const { title, about, field, problem, insecure, action, again } = wordsIn(language).desktop;
  return {
    title,
    body: markup`<p>${about}</p>
      <form id="desktop-form">
        <label for="token">${field}</label>
        <input id="token" autocomplete="off" spellcheck="false" maxlength="400" aria-describedby="bad-token" />
        <p id="bad-token" class="no" role="alert" hidden>${problem}</p>
        <p id="insecure" class="no" role="alert" hidden>${insecure}</p>
        <button id="submit">${action}</button>
      </form>
      <p><a id="again" target="_blank" rel="noopener" hidden>${again}</a></p>`,
    script: SCRIPT,
  };
};

/** The page that the browser shows after the sign-in. @param data a token from {@link sealedToken} */
export function copyPage(data: string): Page {
  return (language) => {
    const { title, copy, copyAction, copied } = wordsIn(language).desktop;
    return {
      title,
      body: markup`<p><label for="desktop-data">${copy}</label></p>
        <input id="desktop-data" name="desktop_data" value="${data}" readonly />
        <button id="copy" type="button" hidden>${copyAction}</button>
        <p id="copied" role="status" hidden>${copied}</p>`,
      script: SCRIPT,
    };
  };
}

/**
 * Encrypts a token with the key of the app (AES-256-GCM).
 * @param otp the key, 64 hexadecimal digits
 * @returns nonce, ciphertext and tag, in hex
 */
export function sealedToken(token: string, otp: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(otp, 'hex'), nonce);
  return Buffer.concat([nonce, cipher.update(token, 'ascii'), cipher.final(), cipher.getAuthTag()]).toString(
    'hex',
  );
}

/** The token is unknown, used or expired, or the account may no longer sign in. */
export class DesktopSignInOver extends PageRefusal {
  constructor() {
    super((language) => {
      const { failed, desktop } = wordsIn(language);
      const link = markup`<p><a href="${SIGN_IN_PATH}">${desktop.logIn}</a></p>`;
      return { title: failed.title, body: markup`<p>${desktop.over}</p> ${link}` };
    }, 400);
  }
}
