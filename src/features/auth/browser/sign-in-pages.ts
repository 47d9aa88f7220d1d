import { ApiError } from '../../../platform/errors/api-error';
import { RateLimitHit } from '../../../platform/errors/request.errors';
import { CSRF_FIELD } from '../../../platform/http/doors/door';
import { SIGN_IN_PATH } from '../../../platform/http/doors/door.errors';
import { formHtml, paragraphs } from '../../../platform/pages/form-fields';
import { markup } from '../../../platform/pages/html';
import { PageRefusal } from '../../../platform/pages/page.errors';
import type { PageContent } from '../../../platform/pages/web-page';
import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { SIGN_IN_LIMITS } from './sign-in.api';

/** The form with which people sign in. */
export function signInPage(sent: {
  /** The page to go to afterwards. */
  readonly next: string;
  readonly email: string;
  readonly refusal?: string;
}): PageContent {
  const form = formHtml({
    postedTo: SIGN_IN_PATH,
    hidden: { next: sent.next },
    refusal: sent.refusal,
    introduction: 'Sign in with the e-mail address of your account and its password.',
    fields: [
      {
        name: 'username',
        label: 'E-mail address',
        type: 'email',
        autocomplete: 'username',
        maxLength: SIGN_IN_LIMITS.email,
        value: sent.email,
      },
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        maxLength: SIGN_IN_LIMITS.password,
      },
    ],
    action: 'Sign in',
  });
  return {
    title: 'Sign in',
    body: markup`${form}
      <p><a href="/accounts/password/reset/">I have forgotten the password</a></p>`,
  };
}

/** What the form says about an attempt that failed. */
interface SignInRefusal {
  readonly status: number;
  readonly refusal: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @throws what the person at the form can do nothing about */
export function refusalOf(error: unknown): SignInRefusal {
  if (error instanceof RateLimitHit) {
    const seconds = Math.ceil(Number(error.headers['retry-after']));
    const refusal = `There were too many failed attempts. Try again in ${inMinutes(seconds)}.`;
    return { status: 429, refusal, headers: { 'retry-after': String(seconds) } };
  }
  if (!(error instanceof ApiError)) throw error;
  const status = error.companion.status ?? error.status;
  if (status !== 401 && status !== 403) throw error;
  return { status, refusal: `${error.message}.`, headers: {} };
}

function inMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/** The form with which the first owner chooses a password. It posts the code as a field, not in the address. */
export function firstSignInPage(email: string, code: string, refusal?: string): PageContent {
  const body = formHtml({
    postedTo: '/login/first',
    hidden: { code },
    refusal,
    introduction: `This is a new server, and you are its owner, ${email}. Choose your password; the one that the server has shown will no longer work.`,
    fields: [
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        maxLength: SIGN_IN_LIMITS.password,
        hint: `At least ${PASSWORD_RULES.minLength} characters, and no common word, name or pattern.`,
      },
    ],
    action: 'Set the password and sign in',
  });
  return { title: 'Welcome', body };
}

/** The link of the first start was used, is too old, or never was one. */
export class FirstSignInOver extends PageRefusal {
  constructor() {
    const body = markup`${paragraphs(
      'It was used already, or it is older than half an hour, or only a part of it was opened.',
    )}
      <p><a href="${SIGN_IN_PATH}">Sign in with the password</a></p>`;
    super({ title: 'This link does not work', body }, 404);
  }
}

/** The front page, for people who are not signed in. */
export function strangersPage(): PageContent {
  const text =
    'This is the address of a team chat server, and it works. Sign in, or use a client for Zulip: it asks for this address, your e-mail address and your password.';
  return {
    title: 'Parley',
    body: markup`${paragraphs(text)}
      <p><a href="${SIGN_IN_PATH}">Sign in</a></p>
      ${forPrograms}`,
  };
}

/** The front page, for people who are. */
export function signedInPage(name: string, csrfToken: string): PageContent {
  const signOut = formHtml({
    postedTo: '/accounts/logout/',
    hidden: { [CSRF_FIELD]: csrfToken },
    introduction: `You are signed in as ${name}.`,
    fields: [],
    action: 'Sign out',
  });
  return { title: 'Parley', body: markup`${signOut} ${forPrograms}` };
}

const forPrograms = markup`<p>To write a program: <a href="/api/docs">what the interfaces can do</a>.</p>`;
