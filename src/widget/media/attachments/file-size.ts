// Formats file sizes in the language of the chat. Pure.
import { formatBytes } from '../../../protocol/locale/file-size.ts';
import { language } from '../../i18n/current.ts';

/** For example `1.2 MB`. */
export const formatFileSize = (bytes: number): string => formatBytes(bytes, language.locale);
