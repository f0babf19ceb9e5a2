/** The words of a text, which have spaces or line breaks between them. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
