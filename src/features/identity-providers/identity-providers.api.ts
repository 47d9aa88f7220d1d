import type { ApiError } from '../../platform/errors/api-error';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { SIGN_IN_PATH } from '../../platform/errors/request.errors';
import { paragraphs } from '../../platform/pages/forms';
import type { PageLanguage } from '../../platform/pages/languages';
import { refusalText } from '../../platform/pages/page-words';
import { type Html, markup, type Page, PageRefusal } from '../../platform/pages/web-page';
import { type Words, wordsIn } from './provider-words';

/** The provider, and the page to open after signing in. */
export class BeginSignInDto {
  /** Name of the identity provider. */
  @PathParameter(text({ unchecked: true })) provider!: string;
  /** Page to open after signing in: a path on this server. */
  @Parameter(text(), { optional: true }) next?: string;
  /** One-time pad of the phone app, 64 hexadecimal digits; encrypts the API key for the app. */
  @Parameter(text(), { optional: true }) mobile_flow_otp?: string;
  /** Key of the desktop app, 64 hexadecimal digits; encrypts the session token for the app. */
  @Parameter(text(), { optional: true }) desktop_flow_otp?: string;
  /** For owners: `1` shows the claims of the provider without signing in. */
  @Parameter(text(), { optional: true }) show_claims?: string;
}

/** Parameters for beginning a sign-in with a SAML provider. */
export class BeginSamlSignInDto extends BeginSignInDto {
  /** `1` if the provider sent an unsolicited response. */
  @Parameter(text(), { optional: true }) unsolicited?: string;
}

/** Query of a provider's redirect back to this server; the library reads the other parameters. */
export class CompleteSignInDto {
  /** Name of the identity provider. */
  @PathParameter(text({ unchecked: true })) provider!: string;
  /** Identifies the sign-in attempt. */
  @Parameter(text(), { optional: true }) state?: string;
}

/** Response of a SAML provider, at the address that all providers share. */
export class SharedSamlResponseDto {
  /** The response, in Base64. */
  @Parameter(text(), { optional: true }) SAMLResponse?: string;
  /** Identifies the sign-in attempt. */
  @Parameter(text(), { optional: true }) RelayState?: string;
}

/** Response of a SAML provider, at the provider's own address. */
export class SamlResponseDto extends SharedSamlResponseDto {
  /** Name of the identity provider. */
  @PathParameter(text({ unchecked: true })) provider!: string;
}

/** The sign-in that the desktop app takes over. */
export class TakeOverDto {
  /** One-time token that the app decrypted with its key. */
  @PathParameter(text({ unchecked: true })) token!: string;
}

/** Back-channel logout request of a provider. */
export class BackChannelLogoutDto {
  /** Name of the identity provider. */
  @PathParameter(text({ unchecked: true })) provider!: string;
  /** Signed token with the person's subject, one of their sessions at the provider, or both. */
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

/** Texts of such a page. */
interface Refused {
  readonly title?: string;
  readonly texts: readonly (string | Html)[];
}

/** No provider has this name, or the organization has disabled this sign-in method. */
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

/** The request has parameters of both the phone app and the desktop app. */
class BothOtps extends ProviderRefused {
  constructor() {
    super(400, ({ failed }) => ({ texts: [failed.bothOtps] }));
  }
}

const OTP = /^[0-9a-f]{64}$/i;

/** The app that signs in, and its one-time pad or key. */
export interface AppFlow {
  readonly app: 'phone' | 'desktop';
  readonly otp: string;
}

/** The app that a sign-in is for; null for a browser. @throws BothOtps, InvalidOtp */
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

/** Only owners may view the claims of a provider. */
export class TrialNeedsOwner extends ProviderRefused {
  constructor() {
    super(403, ({ ownersOnly }) => ({ title: ownersOnly.title, texts: [ownersOnly.about] }));
  }
}

/** The sign-in failed at the provider, in the browser or because of an attack; the log has the reason. */
export class ProviderFailed extends ProviderRefused {
  constructor(label: string) {
    super(400, ({ failed }) => ({ texts: [failed.byProvider(label)] }));
  }
}

/** The provider does not respond. */
export class ProviderUnavailable extends ProviderRefused {
  constructor(label: string) {
    super(503, ({ failed }) => ({ texts: [failed.away(label)] }));
  }
}

/** The provider does not vouch for the email address, or the domain is not one of the provider's. */
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

/** An account has the email address, but must not be linked by address. */
export class AccountNotLinked extends ProviderRefused {
  constructor(email: string) {
    super(403, ({ failed }) => ({ texts: [failed.notLinked(email), failed.notLinkedAdvice] }));
  }
}

/** The account is deactivated. */
export class AccountDeactivated extends ProviderRefused {
  constructor(readonly email: string) {
    super(403, ({ failed }) => ({ texts: [failed.deactivated(email)] }));
  }
}

/** The organization requires a second factor, and the provider did not report one. */
export class SecondFactorNotReported extends ProviderRefused {
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

/** A new account would violate a rule of the organization, such as its allowed domains. */
export class AccountNotMade extends ProviderRefused {
  constructor(reason: ApiError) {
    super(403, (_, language) => ({ texts: [refusalText(reason, language)] }));
  }
}

/** The URL that opens the phone app. @param facts with the API key encrypted for transfer */
export function appAddress(facts: { key: string; email: string; userId: number; site: string }): string {
  const { key, email, userId, site } = facts;
  const query = { otp_encrypted_api_key: key, email, user_id: String(userId), realm: site };
  return `zulip://login?${new URLSearchParams(query).toString()}`;
}

/** The page that hands the API key to the phone app after the user confirms; a link alone must not do it. */
export function openAppPage(name: string, url: string): Page {
  return (language) => {
    const { title, about, action } = wordsIn(language).inApp;
    const link = markup`<p><a class="button" href="${url}">${action}</a></p>`;
    return { title, body: markup`${paragraphs(about(name))} ${link}` };
  };
}
