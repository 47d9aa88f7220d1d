import type { ApiError } from '../../platform/errors/api-error';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { SIGN_IN_PATH } from '../../platform/errors/request.errors';
import { paragraphs } from '../../platform/pages/forms';
import type { PageLanguage } from '../../platform/pages/languages';
import { refusalText } from '../../platform/pages/page-words';
import { type Html, markup, type Page, PageRefusal } from '../../platform/pages/web-page';
import { type Words, wordsIn } from './provider-words';

/** Which provider, and where to go once signed in. */
export class BeginSignInDto {
  /** Name of the identity provider. */
  @PathParameter(text({ unchecked: true })) provider!: string;
  /** The page to go to afterwards: a path of this server. */
  @Parameter(text(), { optional: true }) next?: string;
  /** One-time pad of the phone app, 64 hexadecimal digits: the API key is handed to the app under it. */
  @Parameter(text(), { optional: true }) mobile_flow_otp?: string;
  /** Key of the desktop app, 64 hexadecimal digits: the token for a session is handed to the app under it. */
  @Parameter(text(), { optional: true }) desktop_flow_otp?: string;
  /** For owners: `1` shows what the provider says of a person, without signing in. */
  @Parameter(text(), { optional: true }) show_claims?: string;
}

/** The same at a SAML provider. */
export class BeginSamlSignInDto extends BeginSignInDto {
  /** `1` where the provider sent a response that nobody asked for. */
  @Parameter(text(), { optional: true }) unsolicited?: string;
}

/** Where an identity provider sends people back; the rest of its query is for the library that knows it. */
export class CompleteSignInDto {
  /** Name of the identity provider. */
  @PathParameter(text({ unchecked: true })) provider!: string;
  /** Names the attempt. */
  @Parameter(text(), { optional: true }) state?: string;
}

/** Response of a SAML provider. */
export class SharedSamlResponseDto {
  /** The response, Base64. */
  @Parameter(text(), { optional: true }) SAMLResponse?: string;
  /** Names the attempt. */
  @Parameter(text(), { optional: true }) RelayState?: string;
}

/** The same at the address of one provider. */
export class SamlResponseDto extends SharedSamlResponseDto {
  /** Name of the identity provider. */
  @PathParameter(text({ unchecked: true })) provider!: string;
}

/** The sign-in that the app takes over. */
export class TakeOverDto {
  /** Token, as the page in the browser showed it under the key of the app. */
  @PathParameter(text({ unchecked: true })) token!: string;
}

/** Back-channel logout request of a provider. */
export class BackChannelLogoutDto {
  /** Name of the identity provider. */
  @PathParameter(text({ unchecked: true })) provider!: string;
  /** A token that names the person, or one of their sessions at the provider. */
  @Parameter(text({ maxLength: 10_000 }), { optional: true }) logout_token?: string;
}

/** A page with the reason for a refused sign-in. */
abstract class ProviderRefused extends PageRefusal {
  constructor(status: number, reason: (words: Words, language: PageLanguage) => Refused) {
    super((language) => {
      const words = wordsIn(language);
      const { title = words.failed.title, texts } = reason(words, language);
      const link = markup`<p><a href="${SIGN_IN_PATH}">${words.back}</a></p>`;
      return { title, body: markup`${texts.map((text) => markup`<p>${text}</p>`)} ${link}` };
    }, status);
  }
}

/** What such a page says. */
interface Refused {
  readonly title?: string;
  readonly texts: readonly (string | Html)[];
}

/** No provider has this name, or the organization has switched this way of signing in off. */
export class ProviderUnknown extends ProviderRefused {
  constructor() {
    super(404, ({ failed }) => ({ texts: [failed.unknown] }));
  }
}

/** The one-time pad of the phone app is not 64 hexadecimal digits. */
class InvalidOtp extends ProviderRefused {
  constructor() {
    super(400, ({ failed }) => ({ texts: [failed.otp] }));
  }
}

/** An app is either the one or the other. */
class BothOtps extends ProviderRefused {
  constructor() {
    super(400, ({ failed }) => ({ texts: [failed.bothOtps] }));
  }
}

const OTP = /^[0-9a-f]{64}$/i;

/** For which app a sign-in is, and the pad or key under which it gets what it asks for; null for a browser. */
export interface AppFlow {
  readonly app: 'phone' | 'desktop';
  readonly otp: string;
}

/** @throws BothOtps, InvalidOtp */
export function appFlowOf({
  mobile_flow_otp: phone,
  desktop_flow_otp: desktop,
}: BeginSignInDto): AppFlow | null {
  if (phone !== undefined && desktop !== undefined) throw new BothOtps();
  const otp = phone ?? desktop;
  if (otp === undefined) return null;
  if (!OTP.test(otp)) throw new InvalidOtp();
  return { app: phone === undefined ? 'desktop' : 'phone', otp };
}

/** Only owners see what providers say of people. */
export class OnlyOwnersTry extends ProviderRefused {
  constructor() {
    super(403, ({ ownersOnly }) => ({ title: ownersOnly.title, texts: [ownersOnly.about] }));
  }
}

/** Whatever the provider, the browser or an attacker did wrong: the log says what. */
export class ProviderFailed extends ProviderRefused {
  constructor(label: string) {
    super(400, ({ failed }) => ({ texts: [failed.byProvider(label)] }));
  }
}

/** The provider does not answer. */
export class ProviderUnavailable extends ProviderRefused {
  constructor(label: string) {
    super(503, ({ failed }) => ({ texts: [failed.away(label)] }));
  }
}

/** The provider does not vouch for the address, or for one of a domain that it does not speak for. */
export class EmailNotVerified extends ProviderRefused {
  constructor(label: string) {
    super(403, ({ failed }) => ({ texts: [failed.notVerified(label)] }));
  }
}

/**
 * No account matches, and the provider does not create accounts. The provider has verified the address, so it may be
 * shown.
 */
export class AccountNotFound extends ProviderRefused {
  constructor(email: string) {
    super(403, ({ notFound: { title, about, advice } }) => ({ title, texts: [about(email), advice] }));
  }
}

/** An account has the address, but may not be linked by address. */
export class AccountNotLinked extends ProviderRefused {
  constructor(email: string) {
    super(403, ({ failed }) => ({ texts: [failed.notLinked(email), failed.notLinkedAdvice] }));
  }
}

/** The account of the person is deactivated. */
export class AccountDeactivated extends ProviderRefused {
  constructor(readonly email: string) {
    super(403, ({ failed }) => ({ texts: [failed.deactivated(email)] }));
  }
}

/** The organization requires a second factor, and the provider does not say that it has asked for one. */
export class FactorNotShown extends ProviderRefused {
  constructor() {
    super(403, ({ failed }) => ({ texts: [failed.noFactor] }));
  }
}

/** The organization is deactivated. */
export class OrganizationGone extends ProviderRefused {
  constructor() {
    super(403, ({ failed }) => ({ texts: [failed.closed] }));
  }
}

/** A new account would break a rule of the organization, such as its domains. */
export class AccountNotMade extends ProviderRefused {
  constructor(reason: ApiError) {
    super(403, (_, language) => ({ texts: [refusalText(reason, language)] }));
  }
}

/** The address that opens the phone app. @param facts with the key as it is hidden for its way */
export function appAddress(facts: { key: string; email: string; userId: number; site: string }): string {
  const { key, email, userId, site } = facts;
  const query = { otp_encrypted_api_key: key, email, user_id: String(userId), realm: site };
  return `zulip://login?${new URLSearchParams(query).toString()}`;
}

/** Hands the API key to the phone app, once the person agrees: a link alone must not do it. */
export function openAppPage(name: string, url: string): Page {
  return (language) => {
    const { title, about, action } = wordsIn(language).inApp;
    const link = markup`<p><a class="button" href="${url}">${action}</a></p>`;
    return { title, body: markup`${paragraphs(about(name))} ${link}` };
  };
}
