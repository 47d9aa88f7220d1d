import { Controller, Delete, Get, Header, HttpCode, Post, Req, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../../platform/actor';
import {
  CurrentActor,
  NeedsScope,
  NotRateLimited,
  OptionalCredentials,
  Public,
  TakesSessions,
} from '../../../platform/http/decorators';
import { Upload, UploadedFile } from '../../../platform/http/body/uploaded-file';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { withQuery } from '../../../platform/http/files/file-answer.interceptor';
import type { AvatarSize } from '../accounts/account.directory';
import { AvatarFileDto, AvatarOwnerDto } from '../accounts/accounts.api';
import { AvatarService, FindAvatarService } from './avatar.service';

const ONE_FILE = 'You must upload exactly one avatar.';

/** The caller's own avatar. */
@Controller('api/v1/users/me/avatar')
@NeedsScope('manage_people')
export class OwnAvatarController {
  constructor(private readonly avatars: AvatarService) {}

  /** Replaces the caller's avatar with the uploaded file. */
  @Post()
  async upload(
    @CurrentActor() actor: Actor,
    @Upload({ missing: ONE_FILE, several: ONE_FILE }) file: UploadedFile,
  ) {
    return { avatar_url: await this.avatars.upload(actor, file) };
  }

  /** Removes the caller's avatar. */
  @Delete()
  async remove(@CurrentActor() actor: Actor) {
    return { avatar_url: await this.avatars.remove(actor) };
  }
}

/** Avatars as browsers load them: available to anyone who knows the URL, which changes with the avatar. */
@Controller('user_avatars/1')
export class AvatarFileController {
  constructor(private readonly avatars: AvatarService) {}

  /** Serves the avatar of an account. */
  @Get(':file')
  @Public()
  @NotRateLimited()
  @Header('cache-control', 'public, max-age=31536000, immutable')
  @Header('content-security-policy', "default-src 'none'")
  async serve(@Parameters() dto: AvatarFileDto): Promise<StreamableFile> {
    const { content, size } = await this.avatars.open(dto.file);
    return new StreamableFile(content, { type: 'image/png', length: size });
  }
}

/**
 * Redirects to the avatars of people whose ID or address a client knows. Not rate-limited: a page requests the avatars
 * of everyone on it.
 */
@Controller('avatar/:user_id_or_email')
@NeedsScope('read')
export class FindAvatarController {
  constructor(private readonly avatars: FindAvatarService) {}

  /**
   * Redirects to a person's avatar, preserving the query string.
   * @answers 401 the caller has no account, and the organization requires one
   */
  @Get()
  @OptionalCredentials()
  @TakesSessions()
  @NotRateLimited()
  @HttpCode(302)
  find(
    @CurrentActor() viewer: Actor | null,
    @Parameters() { user_id_or_email: owner }: AvatarOwnerDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    return this.lead(viewer, owner, 'small', { request, reply });
  }

  /**
   * Redirects to a person's larger avatar, preserving the query string.
   * @answers 401 the caller has no account, and the organization requires one
   */
  @Get('medium')
  @OptionalCredentials()
  @TakesSessions()
  @NotRateLimited()
  @HttpCode(302)
  findMedium(
    @CurrentActor() viewer: Actor | null,
    @Parameters() { user_id_or_email: owner }: AvatarOwnerDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    return this.lead(viewer, owner, 'medium', { request, reply });
  }

  private async lead(
    viewer: Actor | null,
    owner: string,
    size: AvatarSize,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<void> {
    const address = /^\d{1,10}$/.test(owner)
      ? await this.avatars.byId(viewer, Number(owner), size)
      : await this.avatars.byEmail(viewer, owner, size);
    reply.header('location', withQuery(address, request.url));
  }
}
