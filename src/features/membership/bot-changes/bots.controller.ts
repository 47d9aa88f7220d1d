import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import {
  CurrentActor,
  HumansOnly,
  NeedsRecentSignIn,
  NeedsScope,
  NoGuests,
  NotForNamedKeys,
} from '../../../platform/http/decorators';
import { Upload } from '../../../platform/http/body/upload.decorator';
import { UploadedFile } from '../../../platform/http/body/uploaded-file';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { BotKeysService } from './bot-keys.service';
import { BotIdDto, CreateBotDto, toBotUpdate, toNewBot, UpdateBotDto } from './bot-changes.api';
import { CreateBotService } from './create-bot.service';
import { AccountActivityService } from '../people/account-activity.service';
import { UpdateBotService } from './update-bot.service';

/** Bots of people. A picture may be sent with the form of a new or changed bot. */
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

  /** Creates a bot, with a picture if the form has a file. */
  @Post()
  create(
    @CurrentActor() actor: Actor,
    @Upload({ missing: null }) picture: UploadedFile | null,
    @Parameters() dto: CreateBotDto,
  ) {
    return this.createBot.create(actor, toNewBot(dto), picture);
  }

  /** Changes a bot, and its picture if the form has a file. */
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

  /** Shows the API key of a bot. */
  @Get(':bot_id(\\d+)/api_key')
  async key(@CurrentActor() actor: Actor, @Parameters() dto: BotIdDto) {
    return { api_key: await this.botKeys.keyOf(actor, dto.bot_id) };
  }

  /** Replaces the API key of a bot; the old one stops working at once. */
  @Post(':bot_id(\\d+)/api_key/regenerate')
  @NeedsRecentSignIn()
  async regenerate(@CurrentActor() actor: Actor, @Parameters() dto: BotIdDto) {
    return { api_key: await this.botKeys.regenerate(actor, dto.bot_id) };
  }
}
