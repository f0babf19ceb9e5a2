// The content of a message for the team. Nothing is loaded from other servers, because they would learn the location of
// members.
import { type Payload, preview } from '../../../../protocol/message.ts';
import { isFileType } from '../../../../protocol/payloads.ts';
import { optionsOf } from '../../../../widget/chat/payloads/answers.ts';
import { toDrawable } from '../../../../widget/chat/payloads/drawable.ts';
import { t } from '../../../ui/texts.ts';
import { Markdown, OutLink, Text } from './Text.tsx';

export function PayloadContent({ payload, isFromVisitor }: { payload: Payload; isFromVisitor: boolean }) {
  const { type } = payload;
  if (type === 'markdown' && !isFromVisitor) return <Markdown text={toDrawable(payload.markdown)} />;
  // The type is from the wire, and may be any text.
  if (isFileType[type] === true) return <File payload={payload} />;
  if (type === 'bloc' && Array.isArray(payload.items))
    return (
      <>
        {payload.items.map((item, index) => (
          <PayloadContent key={index} payload={item} isFromVisitor={isFromVisitor} />
        ))}
      </>
    );
  const options = optionsOf(payload);
  const text = preview({ ...payload, options: [] }) || t('A message that cannot be shown here.');
  return (
    <>
      <Text text={text} />
      {options.length > 0 && (
        <ul class="options" aria-label={t('Offered answers')}>
          {options.map(({ label, value }) => (
            <li key={value} dir="auto">
              {toDrawable(label)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The kinds of files without a name. */
const kindNames = (): Record<string, string> => ({
  image: t('image'),
  audio: t('audio'),
  video: t('video'),
  file: t('file'),
});

/** The address of a file of this server. The address of the server may have a path. */
const ownFile = /\/(?:chat\/[^/]+\/files|v1\/files\/content)\//;

function File({ payload }: { payload: Payload }) {
  const { type, title } = payload as { type: string; title?: unknown };
  const fields: Record<string, unknown> = { ...payload };
  const address = fields[`${type}Url`];
  const url =
    typeof address === 'string' && URL.canParse(address, location.href) && new URL(address, location.href);
  const name = typeof title === 'string' && title ? toDrawable(title) : (kindNames()[type] ?? type);
  if (!url || !/^https?:$/.test(url.protocol)) return <Text text={name} />;
  const isOwn = url.origin === location.origin && ownFile.test(url.pathname);
  return (
    <figure class="file">
      {isOwn && type === 'image' && <img src={url.href} alt={name} loading="lazy" />}
      {isOwn && type === 'audio' && (
        // biome-ignore lint/a11y/useMediaCaption: what a visitor records has no captions
        <audio controls preload="none" src={url.href} />
      )}
      {isOwn && type === 'video' && (
        // biome-ignore lint/a11y/useMediaCaption: what a visitor records has no captions
        <video controls preload="none" src={url.href} />
      )}
      <figcaption>
        <OutLink href={url.href}>{isOwn ? name : t('{name} at {host}', { name, host: url.host })}</OutLink>
      </figcaption>
    </figure>
  );
}
