import { Delete, Get, HttpCode, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../../platform/actor';
import {
  CompanionController,
  PathId,
  QueryParameters,
} from '../../../platform/http/companion/companion-decorators';
import { PageQuery, type PageAnswer } from '../../../platform/http/companion/paging';
import {
  AdministratorOnly,
  CurrentActor,
  CurrentSession,
  NeedsRecentSignIn,
} from '../../../platform/http/decorators';
import { readDeviceCookie } from '../../../platform/http/doors/session-cookie';
import type {
  EndedSessions,
  ForgottenBrowsers,
  RememberedBrowserRecord,
  SessionRecord,
} from './sessions.api';
import { SessionsService } from './sessions.service';

/** The sessions of people in browsers and programs, and ending them. */
@CompanionController('auth')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  /** Lists the caller's sessions, oldest first. */
  @Get('sessions')
  listOwn(
    @CurrentActor() actor: Actor,
    @CurrentSession() tokenId: string,
    @QueryParameters() query: PageQuery,
  ): Promise<PageAnswer<SessionRecord>> {
    return this.sessions.own(actor, tokenId, query);
  }

  /** Signs the caller out everywhere else: ends all their sessions except that of the request. */
  @Delete('sessions')
  @NeedsRecentSignIn()
  async endOthers(@CurrentActor() actor: Actor, @CurrentSession() tokenId: string): Promise<EndedSessions> {
    return { ended: await this.sessions.endOthers(actor, tokenId) };
  }

  /**
   * Ends one of the caller's sessions.
   * @answers 404 the caller has no such session, or it has ended
   */
  @Delete('sessions/:session_id')
  @NeedsRecentSignIn()
  @HttpCode(204)
  endOwn(@CurrentActor() actor: Actor, @PathId('session_id') id: number): Promise<void> {
    return this.sessions.endOwn(actor, id);
  }

  /** Lists the browsers that are not asked for the caller's second-factor code, oldest first. */
  @Get('remembered-browsers')
  listBrowsers(
    @CurrentActor() actor: Actor,
    @QueryParameters() query: PageQuery,
    @Req() request: FastifyRequest,
  ): Promise<PageAnswer<RememberedBrowserRecord>> {
    return this.sessions.browsers(actor, readDeviceCookie(request), query);
  }

  /** Forgets all of the caller's remembered browsers: the next sign-in there requires a code. */
  @Delete('remembered-browsers')
  async forgetBrowsers(@CurrentActor() actor: Actor): Promise<ForgottenBrowsers> {
    return { forgotten: await this.sessions.forgetBrowsers(actor) };
  }

  /**
   * Forgets one of the caller's remembered browsers: the next sign-in there requires a code.
   * @answers 404 no such browser is remembered
   */
  @Delete('remembered-browsers/:browser_id')
  @HttpCode(204)
  forgetBrowser(@CurrentActor() actor: Actor, @PathId('browser_id') id: number): Promise<void> {
    return this.sessions.forgetBrowser(actor, id);
  }

  /**
   * Lists the sessions of a person, oldest first; only owners see those of owners.
   * @answers 404 there is no such person
   * @answers 409 the person was deleted
   */
  @Get('users/:user_id/sessions')
  @AdministratorOnly()
  listOfPerson(
    @CurrentActor() actor: Actor,
    @CurrentSession() tokenId: string,
    @PathId('user_id') userId: number,
    @QueryParameters() query: PageQuery,
  ): Promise<PageAnswer<SessionRecord>> {
    return this.sessions.ofPerson(actor, tokenId, userId, query);
  }

  /**
   * Signs a person out everywhere; only owners sign owners out.
   * @answers 404 there is no such person
   * @answers 409 the person was deleted
   */
  @Delete('users/:user_id/sessions')
  @NeedsRecentSignIn()
  @AdministratorOnly()
  async endAllOfPerson(
    @CurrentActor() actor: Actor,
    @PathId('user_id') userId: number,
  ): Promise<EndedSessions> {
    return { ended: await this.sessions.endAllOfPerson(actor, userId) };
  }

  /**
   * Ends one session of a person; only owners end those of owners.
   * @answers 404 there is no such person, or they have no such session
   * @answers 409 the person was deleted
   */
  @Delete('users/:user_id/sessions/:session_id')
  @NeedsRecentSignIn()
  @HttpCode(204)
  @AdministratorOnly()
  endOneOfPerson(
    @CurrentActor() actor: Actor,
    @PathId('user_id') userId: number,
    @PathId('session_id') id: number,
  ): Promise<void> {
    return this.sessions.endOneOfPerson(actor, userId, id);
  }
}
