import { type IdentityProvider, PROVIDER_SIGN_IN_PATH } from '../../../platform/config/identity-providers';
import { ApiError } from '../../../platform/errors/api-error';
import { RateLimitHit, SIGN_IN_PATH } from '../../../platform/errors/request.errors';
import { CSRF_FIELD } from '../../../platform/http/doors/door';
import { type FormField, formHtml, type PageForm, paragraphs } from '../../../platform/pages/forms';
import { type Html, markup, NOTHING, type PageContent, PageRefusal } from '../../../platform/pages/web-page';
import { PASSWORD_HINT } from '../../../platform/secrets/passwords';
import { DirectoryAway } from '../../users/users.module';
import type { ProviderExit } from '../auth.hooks';
import { SIGN_IN_LIMITS } from './sign-in.api';

/** The ways in that the page offers. */
export interface SignInWays {
  readonly byPassword: boolean;
  /** Whether people may type the name that they have in a directory. */
  readonly byName: boolean;
  readonly providers: readonly Pick<IdentityProvider, 'name' | 'label'>[];
}

/** The sign-in page: a link for each identity provider, and the form for a password. */
export function signInPage(sent: {
  /** The page to go to afterwards. */
  readonly next: string;
  readonly email: string;
  readonly refusal?: string;
  readonly ways: SignInWays;
}): PageContent {
  const login = sent.ways.byName ? 'Email address or username' : 'Email address';
  const form = formHtml({
    postedTo: SIGN_IN_PATH,
    hidden: { next: sent.next },
    refusal: sent.refusal,
    introduction: `Sign in with your ${login.toLowerCase()} and password.`,
    fields: [
      {
        name: 'username',
        label: login,
        type: sent.ways.byName ? 'text' : 'email',
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
  const { byPassword, providers } = sent.ways;
  const password = markup`${form}
      <p><a href="/accounts/password/reset/">Forgot password?</a></p>`;
  const refusal =
    sent.refusal === undefined ? NOTHING : markup`<p class="no" role="alert">${sent.refusal}</p>`;
  return {
    title: 'Sign in',
    body: markup`${providers.map((each) => providerLink(each, sent.next))} ${byPassword ? password : refusal}`,
  };
}

/** A link and no form: the page's policy would keep a form from leading on to the provider. */
function providerLink({ name, label }: Pick<IdentityProvider, 'name' | 'label'>, next: string): Html {
  const query = next === '/' ? '' : `?${new URLSearchParams({ next }).toString()}`;
  return markup`<p><a class="button" href="${PROVIDER_SIGN_IN_PATH}/${name}${query}">Continue with ${label}</a></p>`;
}

/** Asks for the code of the second factor, after the right password. */
export function codePage(next: string, refusal?: string): PageContent {
  return codeForm(`${SIGN_IN_PATH}code`, { next }, refusal, REMEMBER);
}

/** Asks for it in a session, which an identity provider or a link began. */
export function sessionCodePage(form: SetUpForm, refusal?: string): PageContent {
  return codeForm(`${SET_UP_PATH}/code`, hiddenOf(form), refusal);
}

/** What all forms of a session that lacks its second factor have in common. */
export interface SetUpForm {
  /** The page to go to afterwards. */
  readonly next: string;
  readonly csrfToken: string;
}

/** Where the second factor is set up that the organization requires. */
const SET_UP_PATH = `${SIGN_IN_PATH}second-factor`;

function hiddenOf({ next, csrfToken }: SetUpForm): Readonly<Record<string, string>> {
  return { next, [CSRF_FIELD]: csrfToken };
}

/** Tells people that they need a second factor, before anything is set up. */
export function setUpPage(form: SetUpForm): PageContent {
  const body = formHtml({
    postedTo: SET_UP_PATH,
    hidden: hiddenOf(form),
    introduction:
      'Your organization requires a second factor: a code from an authenticator app on your phone or computer.',
    fields: [],
    action: 'Set up an authenticator app',
  });
  return { title: 'Set up your second factor', body };
}

/** Shows what the authenticator app needs, and asks for its first code. */
export function newFactorPage(
  form: SetUpForm,
  { secret, address }: { readonly secret: string; readonly address: string },
  refusal?: string,
): PageContent {
  const confirmation = formHtml({
    postedTo: `${SET_UP_PATH}/confirm`,
    hidden: hiddenOf(form),
    refusal,
    introduction: 'Then enter the code that the app shows.',
    fields: [CODE_FIELD],
    action: 'Confirm',
  });
  return {
    title: 'Set up your second factor',
    body: markup`<p>Add an account to your authenticator app with this key:</p>
      <p><code>${secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code></p>
      <p><a class="button" href="${address}">Open in an app on this device</a></p>
      ${confirmation}`,
  };
}

/** Shows the recovery codes, this once. */
export function recoveryCodesPage(next: string, codes: readonly string[]): PageContent {
  return {
    title: 'Save your recovery codes',
    body: markup`${paragraphs(
      'Each of these codes signs you in once if you lose your authenticator app. They are shown only now: keep them apart from the app.',
    )}
      <ul>
        ${codes.map((code) => markup`<li><code>${code}</code></li>`)}
      </ul>
      <p><a class="button" href="${next}">Continue</a></p>`,
  };
}

const CODE_FIELD: FormField = {
  name: 'code',
  label: 'Code',
  type: 'text',
  autocomplete: 'one-time-code',
  maxLength: SIGN_IN_LIMITS.code,
};

/** Not on computers that others use. */
const REMEMBER: NonNullable<PageForm['choices']> = {
  label: 'This browser',
  items: [{ name: 'remember', label: 'Don’t ask for a code here for 30 days', isTicked: false }],
};

function codeForm(
  postedTo: string,
  hidden: Readonly<Record<string, string>>,
  refusal: string | undefined,
  choices?: PageForm['choices'],
): PageContent {
  const body = formHtml({
    postedTo,
    hidden,
    refusal,
    introduction: 'Enter the code that your authenticator app shows, or a recovery code.',
    fields: [CODE_FIELD],
    choices,
    action: 'Sign in',
  });
  return { title: 'Sign in', body: markup`${body}<p><a href="${SIGN_IN_PATH}">Start again</a></p>` };
}

/** The response to a failed attempt. */
interface SignInRefusal {
  readonly status: number;
  readonly refusal: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @throws errors that the form cannot help with */
export function refusalOf(error: unknown): SignInRefusal {
  if (error instanceof RateLimitHit) {
    const seconds = Math.ceil(Number(error.headers['retry-after']));
    const refusal = `Too many failed attempts. Try again in ${inMinutes(seconds)}.`;
    return { status: 429, refusal, headers: { 'retry-after': String(seconds) } };
  }
  if (!(error instanceof ApiError)) throw error;
  const status = error.companion.status ?? error.status;
  if (error instanceof DirectoryAway) return { status, refusal: error.message, headers: {} };
  if (status !== 401 && status !== 403) throw error;
  return { status, refusal: `${error.message}.`, headers: {} };
}

function inMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** The form where the first owner chooses a password. It posts the code as a field, not in the URL. */
export function firstSignInPage(email: string, code: string, refusal?: string): PageContent {
  const body = formHtml({
    postedTo: '/login/first',
    hidden: { code },
    refusal,
    introduction: `You are the owner of this new server, signing in as ${email}. Choose a password to replace the one shown at startup.`,
    fields: [
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        maxLength: SIGN_IN_LIMITS.password,
        hint: PASSWORD_HINT,
      },
    ],
    action: 'Set password and sign in',
  });
  return { title: 'Welcome', body };
}

/** The link from the first start was used, has expired, or never existed. */
export class FirstSignInOver extends PageRefusal {
  constructor() {
    const body = markup`${paragraphs(
      'The link was already used, is older than 30 minutes, or is incomplete.',
    )}
      <p><a href="${SIGN_IN_PATH}">Sign in with your password</a></p>`;
    super({ title: 'This link doesn’t work', body }, 404);
  }
}

/** The front page for signed-out visitors. */
export function strangersPage(): PageContent {
  const text =
    'This is a team chat server. Sign in here, or use any Zulip client with this server’s URL, your email address and your password.';
  return {
    title: 'Parley',
    body: markup`${paragraphs(text)}
      <p><a href="${SIGN_IN_PATH}">Sign in</a></p>
      ${forPrograms}`,
  };
}

/**
 * Leads on to the identity provider after the session here has ended. The policy of pages forbids the form a redirect to
 * another site, and a header would be too long for the buffers of proxies.
 */
export function signedOutPage({ label, url }: ProviderExit): PageContent {
  return {
    title: 'Signed out',
    body: markup`${paragraphs('You are signed out here.')}
      <p><a class="button" href="${url}">Sign out of ${label}</a></p>`,
    leadsTo: url,
  };
}

/** The front page for signed-in users. */
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

const forPrograms = markup`<p>For developers: <a href="/api/docs">API reference</a></p>`;
