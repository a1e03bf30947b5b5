// Embeds the built module of the bare server in the program.
__asm__(
    ".section .rodata\n"
    ".global chirp_bare_begin\n"
    ".global chirp_bare_end\n"
    "chirp_bare_begin:\n"
    ".incbin \"" CHIRP_BARE_MODULE
    "\"\n"
    "chirp_bare_end:\n"
    ".section .note.GNU-stack,\"\",@progbits\n"
    ".text\n");
