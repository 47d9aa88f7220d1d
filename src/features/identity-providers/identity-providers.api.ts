import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { SIGN_IN_PATH } from '../../platform/errors/request.errors';
import { paragraphs } from '../../platform/pages/forms';
import { markup, type PageContent, PageRefusal } from '../../platform/pages/web-page';

/** Which provider, and where to go once signed in. */
export class BeginSignInDto {
  /** Name of the identity provider. */
  @PathParameter(text({ unchecked: true })) provider!: string;
  /** The page to go to afterwards: a path of this server. */
  @Parameter(text(), { optional: true }) next?: string;
  /** One-time pad of the phone app, 64 hexadecimal digits: the API key is handed to the app under it. */
  @Parameter(text(), { optional: true }) mobile_flow_otp?: string;
  /** For owners: `1` shows what the provider says of a person, without signing in. */
  @Parameter(text(), { optional: true }) show_claims?: string;
}

/** Where an identity provider sends people back; the rest of its query is for the library that knows it. */
export class CompleteSignInDto {
  /** Name of the identity provider. */
  @PathParameter(text({ unchecked: true })) provider!: string;
  /** Names the attempt. */
  @Parameter(text(), { optional: true }) state?: string;
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
  constructor(title: string, status: number, ...texts: readonly string[]) {
    super(
      { title, body: markup`${paragraphs(...texts)}<p><a href="${SIGN_IN_PATH}">Back to sign-in</a></p>` },
      status,
    );
  }
}

/** No provider has this name, or the organization has switched this way of signing in off. */
export class ProviderUnknown extends ProviderRefused {
  constructor() {
    super('Sign-in failed', 404, 'This way of signing in isn’t available.');
  }
}

/** The one-time pad of the phone app is not 64 hexadecimal digits. */
export class InvalidOtp extends ProviderRefused {
  constructor() {
    super('Sign-in failed', 400, 'Invalid OTP');
  }
}

/** Only owners see what providers say of people. */
export class OnlyOwnersTry extends ProviderRefused {
  constructor() {
    super('Sign in as an owner', 403, 'Only owners of the organization can see the claims of a provider.');
  }
}

/** Whatever the provider, the browser or an attacker did wrong: the log says what. */
export class ProviderFailed extends ProviderRefused {
  constructor(label: string) {
    super('Sign-in failed', 400, `Signing in with ${label} did not work. Please try again.`);
  }
}

/** The provider does not answer. */
export class ProviderUnavailable extends ProviderRefused {
  constructor(label: string) {
    super('Sign-in failed', 503, `${label} can’t be reached at the moment. Please try again later.`);
  }
}

/** The provider does not vouch for the address, or for one of a domain that it does not speak for. */
export class EmailNotVerified extends ProviderRefused {
  constructor(label: string) {
    super(
      'Sign-in failed',
      403,
      `${label} did not confirm your email address. Ask an administrator for help.`,
    );
  }
}

/**
 * No account matches, and the provider does not create accounts. The provider has verified the address, so it may be
 * shown.
 */
export class AccountNotFound extends ProviderRefused {
  constructor(email: string) {
    super('Account not found', 403, `No account found for ${email}.`, 'Ask an administrator for an account.');
  }
}

/** An account has the address, but may not be linked by address. */
export class AccountNotLinked extends ProviderRefused {
  constructor(email: string) {
    super(
      'Sign-in failed',
      403,
      `The account ${email} isn’t linked to this way of signing in.`,
      'Sign in with your password, or ask the operator of this server to link it.',
    );
  }
}

/** The account of the person is deactivated. */
export class AccountDeactivated extends ProviderRefused {
  constructor(readonly email: string) {
    super(
      'Sign-in failed',
      403,
      `Your account ${email} has been deactivated. Please contact your organization administrator to reactivate it.`,
    );
  }
}

/** The organization requires a second factor, and the provider does not say that it has asked for one. */
export class FactorNotShown extends ProviderRefused {
  constructor() {
    super(
      'Sign-in failed',
      403,
      'Your organization requires a second factor, which the app can’t ask for. Sign in with the browser.',
    );
  }
}

/** The organization is deactivated. */
export class OrganizationGone extends ProviderRefused {
  constructor() {
    super('Sign-in failed', 403, 'This organization has been deactivated.');
  }
}

/** A new account would break a rule of the organization, such as its domains. */
export class AccountNotMade extends ProviderRefused {
  constructor(reason: string) {
    super('Sign-in failed', 403, reason);
  }
}

/** The address that opens the phone app. @param facts with the key as it is hidden for its way */
export function appAddress(facts: { key: string; email: string; userId: number; site: string }): string {
  const { key, email, userId, site } = facts;
  const query = { otp_encrypted_api_key: key, email, user_id: String(userId), realm: site };
  return `zulip://login?${new URLSearchParams(query).toString()}`;
}

/** Hands the API key to the phone app, once the person agrees: a link alone must not do it. */
export function openAppPage(name: string, url: string): PageContent {
  return {
    title: 'Open the app',
    body: markup`${paragraphs(`You are signed in as ${name}.`)}
      <p><a class="button" href="${url}">Continue in the app</a></p>`,
  };
}
