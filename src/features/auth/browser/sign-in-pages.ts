import { type IdentityProvider, providerSignInPath } from '../../../platform/config/identity-providers';
import { ApiError } from '../../../platform/errors/api-error';
import { RateLimitHit, SIGN_IN_PATH } from '../../../platform/errors/request.errors';
import { CSRF_FIELD } from '../../../platform/http/doors/door';
import {
  type FormField,
  formHtml,
  type PageForm,
  paragraphs,
  refusalHtml,
} from '../../../platform/pages/forms';
import { inEach, type PageLanguage } from '../../../platform/pages/languages';
import { minutesText, pageWords, refusalText } from '../../../platform/pages/page-words';
import { type Html, markup, NOTHING, type Page, PageRefusal } from '../../../platform/pages/web-page';
import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { DirectoryUnreachable } from '../../users/users.module';
import type { ProviderExit } from '../auth.hooks';
import { NEW_PASSKEY_PATH, PASSKEY_PATH, PASSKEY_SCRIPT, passkeyForm } from './passkey-form';
import { FIRST_SIGN_IN_LIMITS, type FirstNames, SIGN_IN_LIMITS } from './sign-in.api';
import * as de from './words.de';
import * as en from './words';

const wordsIn = inEach<typeof en>({ en, de });

/** Returns the reason why input was rejected. */
export type Refusal = (language: PageLanguage) => Html;

type ProviderLink = Pick<IdentityProvider, 'protocol' | 'name' | 'label'>;

/** The sign-in methods that the page offers. */
export interface SignInWays {
  readonly byPassword: boolean;
  /** Whether people may use their name in an LDAP directory. */
  readonly byName: boolean;
  readonly byPasskey: boolean;
  readonly providers: readonly ProviderLink[];
}

/** The sign-in page: a link for each identity provider, and the form for a password. */
export function signInPage(sent: {
  /** The page to open afterwards. */
  readonly next: string;
  readonly email: string;
  readonly refusal?: Refusal;
  readonly ways: SignInWays;
}): Page {
  return (language) => {
    const { signIn, passkey } = wordsIn(language);
    const { byPassword, byName, byPasskey, providers } = sent.ways;
    const refusal = sent.refusal?.(language);
    const form = formHtml({
      postedTo: SIGN_IN_PATH,
      hidden: { next: sent.next },
      refusal,
      introduction: byName ? signIn.byName : signIn.byEmail,
      fields: [
        {
          name: 'username',
          label: byName ? signIn.emailOrName : signIn.email,
          type: byName ? 'text' : 'email',
          autocomplete: byPasskey ? 'username webauthn' : 'username',
          maxLength: SIGN_IN_LIMITS.email,
          value: sent.email,
        },
        {
          name: 'password',
          label: signIn.password,
          type: 'password',
          autocomplete: 'current-password',
          maxLength: SIGN_IN_LIMITS.password,
        },
      ],
      action: signIn.action,
    });
    const password = markup`${form}
      <p><a href="/accounts/password/reset/">${signIn.forgot}</a></p>`;
    const others = refusal === undefined ? NOTHING : refusalHtml(refusal);
    const links = providers.map((each) => providerLink(each, signIn.with(each.label), sent.next));
    const key = byPasskey
      ? passkeyForm(PASSKEY_PATH, { next: sent.next }, { ...passkey, action: passkey.signIn })
      : NOTHING;
    return {
      title: signIn.title,
      body: markup`${links} ${byPassword ? password : others} ${key}`,
      script: byPasskey ? PASSKEY_SCRIPT : undefined,
    };
  };
}

/** A link rather than a form: the page's policy would prevent a form from redirecting to the provider. */
function providerLink(provider: ProviderLink, label: string, next: string): Html {
  const query = next === '/' ? '' : `?${new URLSearchParams({ next }).toString()}`;
  return markup`<p><a class="button" href="${providerSignInPath(provider)}${query}">${label}</a></p>`;
}

/** Asks for the second-factor code, after a correct password. */
export function codePage(next: string, refusal?: Refusal): Page {
  return codeForm(`${SIGN_IN_PATH}code`, { next }, refusal, true);
}

/** Asks for the code in a session started by an identity provider or a link. */
export function sessionCodePage(form: SetUpForm, refusal?: Refusal): Page {
  return codeForm(`${SET_UP_PATH}/code`, hiddenOf(form), refusal, false);
}

/** Properties of all forms in a session that lacks its second factor. */
export interface SetUpForm {
  /** The page to open afterwards. */
  readonly next: string;
  readonly csrfToken: string;
}

/** Where the required second factor is set up. */
const SET_UP_PATH = `${SIGN_IN_PATH}second-factor`;

function hiddenOf({ next, csrfToken }: SetUpForm): Readonly<Record<string, string>> {
  return { next, [CSRF_FIELD]: csrfToken };
}

/** Explains that a second factor is required, before anything is set up. */
export function setUpPage(form: SetUpForm, byPasskey: boolean, refusal?: Refusal): Page {
  return (language) => {
    const { title, about, action } = wordsIn(language).setUp;
    const body = formHtml({
      postedTo: SET_UP_PATH,
      hidden: hiddenOf(form),
      refusal: refusal?.(language),
      introduction: about,
      fields: [],
      action,
    });
    const { passkey } = wordsIn(language);
    const key = byPasskey
      ? passkeyForm(NEW_PASSKEY_PATH, hiddenOf(form), { ...passkey, action: passkey.add }, 'make')
      : NOTHING;
    return { title, body: markup`${body} ${key}`, script: byPasskey ? PASSKEY_SCRIPT : undefined };
  };
}

/** The initial name of a passkey. */
export function passkeyName(language: PageLanguage): string {
  return wordsIn(language).passkey.name;
}

/** Shows the details for the authenticator app, and asks for its first code. */
export function newFactorPage(
  form: SetUpForm,
  { secret, address }: { readonly secret: string; readonly address: string },
  refusal?: Refusal,
): Page {
  return (language) => {
    const { setUp } = wordsIn(language);
    const confirmation = formHtml({
      postedTo: `${SET_UP_PATH}/confirm`,
      hidden: hiddenOf(form),
      refusal: refusal?.(language),
      introduction: setUp.confirmation,
      fields: [codeField(language)],
      action: setUp.confirm,
    });
    return {
      title: setUp.title,
      body: markup`<p>${setUp.key}</p>
      <p><code>${secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code></p>
      <p><a class="button" href="${address}">${setUp.open}</a></p>
      ${confirmation}`,
    };
  };
}

/** Shows the recovery codes, once. */
export function recoveryCodesPage(next: string, codes: readonly string[]): Page {
  return (language) => {
    const { title, about, action } = wordsIn(language).recovery;
    return {
      title,
      body: markup`${paragraphs(about)}
      <ul>
        ${codes.map((code) => markup`<li><code>${code}</code></li>`)}
      </ul>
      <p><a class="button" href="${next}">${action}</a></p>`,
    };
  };
}

function codeField(language: PageLanguage): FormField {
  return {
    name: 'code',
    label: wordsIn(language).code.label,
    type: 'text',
    autocomplete: 'one-time-code',
    maxLength: SIGN_IN_LIMITS.code,
  };
}

function codeForm(
  postedTo: string,
  hidden: Readonly<Record<string, string>>,
  refusal: Refusal | undefined,
  isRemembered: boolean,
): Page {
  return (language) => {
    const { title, about, action, browser, remember, again } = wordsIn(language).code;
    const passkey = passkeyForm(postedTo, hidden, wordsIn(language).passkey);
    // Not on shared computers.
    const choices: PageForm['choices'] = {
      label: browser,
      items: [{ name: 'remember', label: remember, isTicked: false }],
    };
    const body = formHtml({
      postedTo,
      hidden,
      refusal: refusal?.(language),
      introduction: about,
      fields: [codeField(language)],
      choices: isRemembered ? choices : undefined,
      action,
    });
    return {
      title,
      body: markup`${body} ${passkey}<p><a href="${SIGN_IN_PATH}">${again}</a></p>`,
      script: PASSKEY_SCRIPT,
    };
  };
}

/** The response to a failed attempt. */
interface SignInRefusal {
  readonly status: number;
  readonly refusal: Refusal;
  readonly headers: Readonly<Record<string, string>>;
}

/** The code arrived too late; the sign-in has to start over. */
export const OVER: Refusal = (language) => markup`${wordsIn(language).code.over}`;

/** The sign-in is too old to set up a second factor. */
export const SET_UP_NOW: Refusal = (language) => markup`${wordsIn(language).setUp.signInFirst}`;

/** @throws errors that the form cannot help with */
export function refusalOf(error: unknown): SignInRefusal {
  if (error instanceof RateLimitHit) {
    const seconds = Math.ceil(Number(error.headers['retry-after']));
    const minutes = Math.max(1, Math.ceil(seconds / 60));
    const refusal: Refusal = (language) =>
      markup`${wordsIn(language).signIn.throttled(minutesText(minutes, language))}`;
    return { status: 429, refusal, headers: { 'retry-after': String(seconds) } };
  }
  if (!(error instanceof ApiError)) throw error;
  const status = error.companion.status ?? error.status;
  if (!(error instanceof DirectoryUnreachable) && status !== 401 && status !== 403) throw error;
  return { status, refusal: (language) => refusalText(error, language), headers: {} };
}

/** The form where the first owner chooses a password. It posts the code as a field, not in the URL. */
export function firstSignInPage(
  email: string,
  code: string,
  { fullName, organization: organizationName }: FirstNames,
  refusal?: ApiError,
): Page {
  return (language) => {
    const { title, about, name, organization, password, action } = wordsIn(language).first;
    const body = formHtml({
      postedTo: '/login/first',
      hidden: { code },
      refusal: refusal && refusalText(refusal, language),
      introduction: about(email),
      fields: [
        {
          name: 'full_name',
          label: name,
          type: 'text',
          autocomplete: 'name',
          maxLength: FIRST_SIGN_IN_LIMITS.name,
          value: fullName,
        },
        {
          name: 'organization',
          label: organization,
          type: 'text',
          autocomplete: 'organization',
          maxLength: FIRST_SIGN_IN_LIMITS.organization,
          value: organizationName,
        },
        {
          name: 'password',
          label: password,
          type: 'password',
          autocomplete: 'new-password',
          maxLength: SIGN_IN_LIMITS.password,
          hint: pageWords(language).passwordHint(PASSWORD_RULES.minLength),
        },
      ],
      action,
    });
    return { title, body };
  };
}

/** The link from the first start was used, has expired, or never existed. */
export class FirstSignInOver extends PageRefusal {
  constructor() {
    super((language) => {
      const { over, overAbout, signIn } = wordsIn(language).first;
      const link = markup`<p><a href="${SIGN_IN_PATH}">${signIn}</a></p>`;
      return { title: over, body: markup`${paragraphs(overAbout)} ${link}` };
    }, 404);
  }
}

/** The front page for signed-out visitors. */
export function strangersPage(): Page {
  return (language) => {
    const { title, about, signIn } = wordsIn(language).home;
    return {
      title,
      body: markup`${paragraphs(about)}
      <p><a href="${SIGN_IN_PATH}">${signIn}</a></p>
      ${forPrograms(language)}`,
    };
  };
}

/**
 * Redirects to the identity provider after the session here has ended. The pages' policy forbids forms to redirect to
 * another site, and a header would be too long for the buffers of proxies.
 */
export function signedOutPage({ label, url }: ProviderExit): Page {
  return (language) => {
    const { title, about, action } = wordsIn(language).signedOut;
    return {
      title,
      body: markup`${paragraphs(about)}
      <p><a class="button" href="${url}">${action(label)}</a></p>`,
      leadsTo: url,
    };
  };
}

/** The front page for signed-in users. */
export function signedInPage(name: string, csrfToken: string): Page {
  return (language) => {
    const { title, signedIn, signOut } = wordsIn(language).home;
    const form = formHtml({
      postedTo: '/accounts/logout/',
      hidden: { [CSRF_FIELD]: csrfToken },
      introduction: signedIn(name),
      fields: [],
      action: signOut,
    });
    return { title, body: markup`${form} ${forPrograms(language)}` };
  };
}

function forPrograms(language: PageLanguage): Html {
  const { developers, reference } = wordsIn(language).home;
  return markup`<p>${developers} <a href="/api/docs">${reference}</a></p>`;
}
