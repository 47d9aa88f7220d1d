import { Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readBuild, translationsOf, versionNotice, type WebAppBuild } from './build/read-build';
import { newNonce, pageHeaders, webAppPage } from './page';
import {
  APP_CAPABILITIES,
  localeIn,
  pageParametersWire,
  PRESENCE_DAYS,
  type WindowTerm,
} from './web-app.api';
import type { Actor } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import { SIGN_IN_PATH, SignInFirst } from '../../../platform/errors/request.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { sentParameters } from '../../../platform/http/body/sent-parameters';
import { CSRF_FIELD } from '../../../platform/http/doors/door';
import { markup } from '../../../platform/pages/web-page';
import { CsrfTokens } from '../../../platform/secrets/secret-links';
import { chosenHomePagePort, type HomePage } from '../../auth/auth.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { RegisterService } from '../../realtime/realtime.module';
import { AccountDirectory, personalSetting } from '../../users/users.module';

/** The web app that the operator unpacked, if there is one. A folder that does not fit refuses the start. */
@Injectable()
export class WebApp {
  /** Null where the operator names no folder. */
  readonly build: WebAppBuild | null;

  /** @throws WebAppIncompatible */
  constructor({ webAppDir }: Config) {
    this.build = webAppDir === null ? null : readBuild(webAppDir);
    const notice = this.build && versionNotice(this.build);
    if (notice !== null) new Logger('WebApp').warn(notice);
  }
}

/** A user with a session. */
interface Visitor {
  readonly actor: Actor;
  readonly sessionId: string;
}

/** Serves the web app at `/` to signed-in users, and the sign-in page to everyone else. */
@Injectable()
export class WebAppPageService implements HomePage {
  /** Translations that people have asked for, by locale. */
  private readonly translations = new Map<string, Record<string, string>>();

  constructor(
    private readonly app: WebApp,
    private readonly registration: RegisterService,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly tokens: CsrfTokens,
    private readonly config: Config,
    hooks: Hooks,
  ) {
    if (app.build !== null) hooks.provide(chosenHomePagePort, this);
  }

  /** @throws SignInFirst */
  async show(request: FastifyRequest, reply: FastifyReply): Promise<string | null> {
    const { actor, sessionId, originalUrl } = request;
    if (this.app.build === null) return null;
    if (actor === null || sessionId === null) throw new SignInFirst(originalUrl);
    const nonce = newNonce();
    const page = await this.page(this.app.build, { actor, sessionId }, request, nonce);
    void reply.headers(pageHeaders(nonce));
    return page;
  }

  private async page(
    build: WebAppBuild,
    { actor, sessionId }: Visitor,
    request: FastifyRequest,
    nonce: string,
  ): Promise<string> {
    const asked = sentParameters(request);
    const narrow = narrowOf(asked);
    const { settings } = this.accounts.existing(actor.userId);
    const languageCode =
      personalSetting(settings, 'default_language') || this.organization.settings.default_language;
    const translations = this.translationsInto(build, localeIn(build.languages, languageCode));
    const isDeferred = asked.get('state_data') === 'deferred';
    const parameters = pageParametersWire({
      languageCode,
      languages: build.languages,
      translations,
      renderedDescription: markup`<p>${this.organization.settings.description}</p>`.text,
      appsPage: `${this.config.externalUrl}/api/docs`,
      signInPage: SIGN_IN_PATH,
      state: isDeferred ? null : await this.stateFor(actor, narrow),
      narrow,
    });
    const values = {
      title: this.organization.settings.name,
      languageCode,
      colorScheme: personalSetting(settings, 'color_scheme'),
      csrfField: CSRF_FIELD,
      csrfToken: this.tokens.tokenFor(sessionId),
      parameters,
      translations,
      userAgent: request.headers['user-agent'] ?? '',
    };
    return webAppPage(build, values, nonce);
  }

  /** The app is registered in the way in which it would register itself. */
  private stateFor(actor: Actor, narrow: readonly WindowTerm[]): Promise<Record<string, unknown>> {
    return this.registration.register(actor, {
      eventTypes: null,
      fetchTypes: null,
      narrow: narrow.map(({ operator, operand }) => [operator, operand]),
      applyMarkdown: true,
      clientGravatar: true,
      slimPresence: true,
      presenceHistoryDays: PRESENCE_DAYS,
      includeSubscribers: true,
      capabilities: APP_CAPABILITIES,
      idleTimeout: null,
    });
  }

  private translationsInto(build: WebAppBuild, locale: string): Record<string, string> {
    const known = this.translations.get(locale) ?? translationsOf(build, locale);
    this.translations.set(locale, known);
    return known;
  }
}

/** A window for one conversation says which in its address. */
function narrowOf(asked: ReadonlyMap<string, string>): WindowTerm[] {
  const [channel, topic] = [asked.get('stream'), asked.get('topic')];
  if (channel === undefined) return [];
  const terms: WindowTerm[] = [{ operator: 'stream', operand: channel }];
  if (topic !== undefined) terms.push({ operator: 'topic', operand: topic });
  return terms;
}
