import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { MAX_CODE, PASSKEY_LIMITS } from '../../users/users.module';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text, visibleName } from '../../../platform/http/parameters/text';

const optional = { optional: true } as const;

/** Maximum lengths of the form fields. */
export const SIGN_IN_LIMITS = { email: 320, password: PASSWORD_RULES.maxLength, code: MAX_CODE } as const;

/** The page to open after sign-in. */
export class NextPageDto {
  /** The page to open afterwards: a path on this server. */
  @Parameter(text(), optional) next?: string;
}

/** Form fields of the sign-in page. */
export class SignInDto extends NextPageDto {
  /** Email address of the account. */
  @Parameter(text({ trim: true, maxLength: SIGN_IN_LIMITS.email }), optional) username?: string;
  /** Password of the account. */
  @Parameter(text({ maxLength: SIGN_IN_LIMITS.password }), optional) password?: string;
}

/** Form fields with a passkey's response. */
export class PasskeyDto extends NextPageDto {
  /** ID of the passkey, in Base64url. */
  @Parameter(text({ maxLength: PASSKEY_LIMITS.credentialId }), optional) credential_id?: string;
  /** The client data from the browser, in Base64url. */
  @Parameter(text({ maxLength: PASSKEY_LIMITS.clientData }), optional) client_data?: string;
  /** The authenticator data, in Base64url. */
  @Parameter(text({ maxLength: PASSKEY_LIMITS.authenticatorData }), optional) authenticator_data?: string;
  /** The signature of both, in Base64url. */
  @Parameter(text({ maxLength: PASSKEY_LIMITS.signature }), optional) signature?: string;
}

/** Form fields of the page for the second factor. */
export class SignInCodeDto extends PasskeyDto {
  /** The code that the authenticator app shows, or a recovery code. */
  @Parameter(text({ trim: true, maxLength: SIGN_IN_LIMITS.code }), optional) code?: string;
  /** `1` skips the code in this browser for 30 days. */
  @Parameter(text(), optional) remember?: string;
}

/** Form fields that every form of a signed-in user has. */
export class SessionFormDto {
  /** The token of the session, as included in the page. */
  @Parameter(text(), optional) csrfmiddlewaretoken?: string;
}

/** Form fields of the page that asks for the second factor in a session. */
export class SessionCodeDto extends PasskeyDto {
  /** The token of the session, as included in the page. */
  @Parameter(text(), optional) csrfmiddlewaretoken?: string;
  /** The code that the authenticator app shows, or a recovery code. */
  @Parameter(text({ trim: true, maxLength: SIGN_IN_LIMITS.code }), optional) code?: string;
}

/** Form fields of the page where a required second factor is set up. */
export class SetUpFactorDto extends SessionFormDto {
  /** The page to open afterwards: a path on this server. */
  @Parameter(text(), optional) next?: string;
}

/** Form fields with a passkey that the browser created. */
export class NewPasskeyDto extends SetUpFactorDto {
  /** The client data from the browser, in Base64url. */
  @Parameter(text({ maxLength: PASSKEY_LIMITS.clientData }), optional) client_data?: string;
  /** The passkey, in Base64url. */
  @Parameter(text({ maxLength: PASSKEY_LIMITS.attestation }), optional) attestation_object?: string;
}

/** Form fields for setting up a factor with a code. */
export class SetUpCodeDto extends SetUpFactorDto {
  /** The code that the authenticator app shows, or a recovery code. */
  @Parameter(text({ trim: true, maxLength: SIGN_IN_LIMITS.code }), optional) code?: string;
}

export const FIRST_SIGN_IN_LIMITS = { name: 100, organization: 40 } as const;

/** The secret part of the link that is printed at the first start. */
export class FirstSignInCodeDto {
  /** The code in the link. */
  @Parameter(text(), optional) code?: string;
}

/** The owner's choices at the first start. */
export class FirstSignInDto extends FirstSignInCodeDto {
  /** The owner's name. Empty or omitted keeps the initial one. */
  @Parameter(text({ trim: true, maxLength: FIRST_SIGN_IN_LIMITS.name }), optional) full_name?: string;
  /** Name of the organization. Empty or omitted keeps the initial one. */
  @Parameter(visibleName({ maxLength: FIRST_SIGN_IN_LIMITS.organization }), optional)
  organization?: string;
  /** The new password. */
  @Parameter(text({ maxLength: SIGN_IN_LIMITS.password }), optional) password?: string;
}

/** Names that the owner fills in; empty ones do not change. */
export interface FirstNames {
  readonly fullName: string;
  readonly organization: string;
}

/** What the owner fills in. */
export interface FirstChoices extends FirstNames {
  readonly password: string;
}
