import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { BotIdDto, CreateBotDto, toBotUpdate, toNewBot, UpdateBotDto } from './bot-changes/bot-changes.api';
import { CreateBotService } from './bot-changes/create-bot.service';
import { BotKeysService, UpdateBotService } from './bot-changes/update-bot.service';
import type { InvitationWire } from './invitations/invitation-records.api';
import { InvitationIdDto, InviteDto, MultiuseInviteDto, toTerms } from './inviting/invitations.api';
import { type LinkOnlyInvitation, InviteService } from './inviting/invite.service';
import { ManageInvitationsService } from './inviting/manage-invitations.service';
import { CannotDeleteOnDeactivation, TestWelcomeMessageDto } from './membership.api';
import { AccountActivityService } from './people/account-activity.service';
import { CreateUserService } from './people/new-account.service';
import {
  CreateUserDto,
  DeactivateUserDto,
  toAccountUpdate,
  UpdateUserByEmailDto,
  UpdateUserDto,
  UserIdDto,
} from './people/people-changes.api';
import { UpdateAccountService } from './people/update-account.service';
import { WelcomeService } from './welcome/welcome.service';
import type { Actor } from '../../platform/actor';
import { Upload, UploadedFile } from '../../platform/http/body/uploaded-file';
import {
  AdministratorOnly,
  CurrentActor,
  HumansOnly,
  NeedsRecentSignIn,
  NeedsScope,
  NoGuests,
  NotForNamedKeys,
  RecentSignIn,
  type RequireRecentSignIn,
} from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** Joining and leaving the organization, and administrators' changes to people. */
@Controller('api/v1/users')
@NeedsScope('manage_people')
export class MembershipController {
  constructor(
    private readonly createUser: CreateUserService,
    private readonly activity: AccountActivityService,
    private readonly updateAccount: UpdateAccountService,
  ) {}

  /** Creates an account for a person. */
  @Post()
  @AdministratorOnly()
  async create(@CurrentActor() actor: Actor, @Parameters() dto: CreateUserDto) {
    const { email, password, full_name: fullName } = dto;
    return { user_id: await this.createUser.create(actor, { email, password, fullName }) };
  }

  /** Deactivates the caller's own account. */
  @Delete('me')
  @NotForNamedKeys()
  deactivateOwn(@CurrentActor() actor: Actor): Promise<void> {
    return this.activity.deactivateOwn(actor);
  }

  /** Deactivates an account. */
  @Delete(':user_id(\\d+)')
  async deactivate(@CurrentActor() actor: Actor, @Parameters() dto: DeactivateUserDto): Promise<void> {
    const asked = Object.entries(dto.actions ?? {}).find(([, isAsked]) => isAsked);
    if (asked) throw new CannotDeleteOnDeactivation(asked[0]);
    await this.activity.deactivatePerson(actor, dto.user_id);
  }

  /** Reactivates an account. */
  @Post(':user_id(\\d+)/reactivate')
  reactivate(@CurrentActor() actor: Actor, @Parameters() dto: UserIdDto): Promise<void> {
    return this.activity.reactivate(actor, dto.user_id);
  }

  /** Changes a person's name, role or profile. */
  @Patch(':user_id(\\d+)')
  async update(
    @CurrentActor() actor: Actor,
    @Parameters() dto: UpdateUserDto,
    @RecentSignIn() requireRecent: RequireRecentSignIn,
  ): Promise<void> {
    requireRecent(dto.role !== undefined);
    return this.updateAccount.update(actor, dto.user_id, toAccountUpdate(dto));
  }

  /** Changes a person's name, role or profile, by email address. */
  @Patch(':email')
  async updateByEmail(
    @CurrentActor() actor: Actor,
    @Parameters() dto: UpdateUserByEmailDto,
    @RecentSignIn() requireRecent: RequireRecentSignIn,
  ): Promise<void> {
    requireRecent(dto.role !== undefined);
    return this.updateAccount.updateByEmail(actor, dto.email, toAccountUpdate(dto));
  }
}

/** The welcome message for new people. */
@Controller('api/v1/realm/test_welcome_bot_custom_message')
@NeedsScope('administer')
export class WelcomeController {
  constructor(private readonly welcome: WelcomeService) {}

  /** Sends the caller the welcome message that new people receive. */
  @Post()
  @AdministratorOnly()
  async send(
    @CurrentActor() actor: Actor,
    @Parameters() input: TestWelcomeMessageDto,
  ): Promise<{ message_id: number }> {
    return { message_id: await this.welcome.sendSample(actor, input.welcome_message_custom_text) };
  }
}

/** People's bots. The form of a new or changed bot may include an avatar. */
@Controller('api/v1/bots')
@NoGuests()
@HumansOnly()
@NotForNamedKeys()
export class BotsController {
  constructor(
    private readonly createBot: CreateBotService,
    private readonly updateBot: UpdateBotService,
    private readonly botKeys: BotKeysService,
    private readonly activity: AccountActivityService,
  ) {}

  /** Lists the caller's bots. */
  @Get()
  list(@CurrentActor() actor: Actor) {
    return { bots: this.botKeys.own(actor) };
  }

  /** Creates a bot, with an avatar if the form has a file. */
  @Post()
  create(
    @CurrentActor() actor: Actor,
    @Upload({ missing: null }) picture: UploadedFile | null,
    @Parameters() dto: CreateBotDto,
  ) {
    return this.createBot.create(actor, toNewBot(dto), picture);
  }

  /** Changes a bot, and its avatar if the form has a file. */
  @Patch(':bot_id(\\d+)')
  update(
    @CurrentActor() actor: Actor,
    @Upload({ missing: null }) picture: UploadedFile | null,
    @Parameters() dto: UpdateBotDto,
  ) {
    return this.updateBot.update(actor, dto.bot_id, toBotUpdate(dto), picture);
  }

  /** Deactivates a bot. */
  @Delete(':bot_id(\\d+)')
  @NeedsScope('manage_people')
  deactivate(@CurrentActor() actor: Actor, @Parameters() dto: BotIdDto): Promise<void> {
    return this.activity.deactivateBot(actor, dto.bot_id);
  }

  /** Returns the API key of a bot. */
  @Get(':bot_id(\\d+)/api_key')
  async key(@CurrentActor() actor: Actor, @Parameters() dto: BotIdDto) {
    return { api_key: await this.botKeys.keyOf(actor, dto.bot_id) };
  }

  /** Replaces the API key of a bot; the old one stops working immediately. */
  @Post(':bot_id(\\d+)/api_key/regenerate')
  @NeedsRecentSignIn()
  async regenerate(@CurrentActor() actor: Actor, @Parameters() dto: BotIdDto) {
    return { api_key: await this.botKeys.regenerate(actor, dto.bot_id) };
  }
}

/** Inviting people to the organization. */
@Controller('api/v1/invites')
@NoGuests()
@HumansOnly()
@NeedsScope('manage_people')
export class InvitationsController {
  constructor(
    private readonly inviting: InviteService,
    private readonly managing: ManageInvitationsService,
  ) {}

  /** Lists open invitations: everyone's for administrators, otherwise the caller's own. */
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ invites: InvitationWire[] }> {
    return { invites: await this.managing.list(actor) };
  }

  /** Invites people by email address. */
  @Post()
  async invite(
    @CurrentActor() actor: Actor,
    @Parameters() dto: InviteDto,
  ): Promise<{
    /** If the server sends no mail: the links that the caller has to pass on. */
    invite_links?: readonly LinkOnlyInvitation[];
  }> {
    const notifiesInviter = dto.notify_referrer_on_join ?? true;
    const links = await this.inviting.invite(actor, dto.invitee_emails, toTerms(dto), notifiesInviter);
    return this.inviting.isByHand ? { invite_links: links } : {};
  }

  /** Creates a link with which several people can join. */
  @Post('multiuse')
  async makeLink(
    @CurrentActor() actor: Actor,
    @Parameters() dto: MultiuseInviteDto,
  ): Promise<{ invite_link: string }> {
    return { invite_link: await this.inviting.makeLink(actor, toTerms(dto)) };
  }

  /** Revokes the invitation of a person. */
  @Delete(':invite_id(\\d+)')
  revoke(@CurrentActor() actor: Actor, @Parameters() dto: InvitationIdDto): Promise<void> {
    return this.managing.revoke(actor, 'person', dto.invite_id);
  }

  /** Revokes a link for several people. */
  @Delete('multiuse/:invite_id(\\d+)')
  revokeLink(@CurrentActor() actor: Actor, @Parameters() dto: InvitationIdDto): Promise<void> {
    return this.managing.revoke(actor, 'link', dto.invite_id);
  }

  /** Mails an invitation again. */
  @Post(':invite_id(\\d+)/resend')
  resend(@CurrentActor() actor: Actor, @Parameters() dto: InvitationIdDto): Promise<void> {
    return this.managing.resend(actor, dto.invite_id);
  }
}
