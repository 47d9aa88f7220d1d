import { companion, Refusal } from '../connection/call';
import { passkey as words } from '../words';

const CHALLENGE = 'auth/me/reauthentication/challenge';
const NEW_CHALLENGE = 'auth/me/passkeys/challenge';

/** Whether this browser supports passkeys. */
export const hasPasskeys =
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

interface Challenge<Options> {
  readonly state: string;
  readonly options: Options;
}

/**
 * Creates a passkey.
 * @returns the browser's response for the server
 * @throws {Refusal} if none was created
 */
export async function makePasskey(): Promise<Readonly<Record<string, string>>> {
  const { state, options } = await companion<Challenge<PublicKeyCredentialCreationOptionsJSON>>(
    'POST',
    NEW_CHALLENGE,
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const { response } = await answered<RegistrationResponseJSON>(navigator.credentials.create({ publicKey }));
  return { state, client_data: response.clientDataJSON, attestation_object: response.attestationObject };
}

/** Confirms the user's identity with a passkey. @throws {Refusal} if none was used */
export async function usePasskey(): Promise<Readonly<Record<string, string>>> {
  const { state, options } = await companion<Challenge<PublicKeyCredentialRequestOptionsJSON>>(
    'POST',
    CHALLENGE,
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const { id, response } = await answered<AuthenticationResponseJSON>(
    navigator.credentials.get({ publicKey }),
  );
  return {
    state,
    credential_id: id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  };
}

/** Browsers do not report why there is no passkey; the user may have closed the dialog. */
async function answered<Json>(asked: Promise<Credential | null>): Promise<Json> {
  try {
    return ((await asked) as PublicKeyCredential).toJSON() as Json;
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new Refusal(isKnown ? words.known : words.unused);
  }
}
