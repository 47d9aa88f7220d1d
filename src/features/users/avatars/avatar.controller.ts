import { Controller, Delete, Get, Header, Post, StreamableFile } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NotRateLimited, Public } from '../../../platform/http/decorators';
import { Upload } from '../../../platform/http/body/upload.decorator';
import { UploadedFile } from '../../../platform/http/body/uploaded-file';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { AvatarFileDto } from './avatar.dto';
import { AvatarService } from './avatar.service';

const ONE_FILE = 'You must upload exactly one avatar.';

/** The caller's own picture. */
@Controller('api/v1/users/me/avatar')
export class OwnAvatarController {
  constructor(private readonly avatars: AvatarService) {}

  /** Replaces the caller's picture with the file of the form. */
  @Post()
  async upload(
    @CurrentActor() actor: Actor,
    @Upload({ missing: ONE_FILE, several: ONE_FILE }) file: UploadedFile,
  ) {
    return { avatar_url: await this.avatars.upload(actor, file) };
  }

  /** Takes the caller's picture away. */
  @Delete()
  async remove(@CurrentActor() actor: Actor) {
    return { avatar_url: await this.avatars.remove(actor) };
  }
}

/** Pictures as browsers load them: open to anyone who knows the address, which changes with the picture. */
@Controller('user_avatars/1')
export class AvatarFileController {
  constructor(private readonly avatars: AvatarService) {}

  /** Serves the picture of an account. */
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
