import { Injectable } from '@nestjs/common';
import { type IdentityProvider, IdentityProviders } from '../../platform/config/identity-providers';
import { Hooks } from '../../platform/hooks/hooks';
import { Sealer } from '../../platform/secrets/server-secret';
import { type ProviderExit, type ProviderExits, providerExitsPort } from '../auth/auth.module';
import type { EndedSession } from '../users/users.module';
import { OpenIdClient } from './openid-client.service';

const PURPOSE = 'id-tokens';

/** Longer ID tokens are not stored, because they do not fit into a URL. */
const MAX_ID_TOKEN = 6_000;

/** Redirects people who sign out here to their identity provider, if the operator enabled it. */
@Injectable()
export class ProviderExitsService implements ProviderExits {
  constructor(
    hooks: Hooks,
    private readonly providers: IdentityProviders,
    private readonly openId: OpenIdClient,
    private readonly sealer: Sealer,
  ) {
    hooks.provide(providerExitsPort, this);
  }

  /** The sealed ID token for a session; null if sign-out does not involve the provider, or the token is too long. */
  sealed(provider: IdentityProvider, idToken: string | null): string | null {
    const isTold = provider.protocol === 'oidc' && provider.signs_out;
    return isTold && idToken !== null && idToken.length <= MAX_ID_TOKEN
      ? this.sealer.seal(PURPOSE, idToken)
      : null;
  }

  /** Returns null also if the provider has no such endpoint or cannot be reached; the session here has ended anyway. */
  async exitOf({ providerIssuer, sealedIdToken }: EndedSession): Promise<ProviderExit | null> {
    const idToken = sealedIdToken === null ? null : this.sealer.open(PURPOSE, sealedIdToken);
    const provider = this.providers
      .of('oidc')
      .find((each) => each.signs_out && each.issuer === providerIssuer);
    if (idToken === null || !provider) return null;
    const url = await this.openId.exitAddress(provider, idToken);
    return url === null ? null : { label: provider.label, url };
  }
}
